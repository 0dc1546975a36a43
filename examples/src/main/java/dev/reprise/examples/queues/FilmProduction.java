package dev.reprise.examples.queues;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.Promise;
import dev.reprise.Workflow;
import java.time.Duration;
import java.util.ArrayList;

/** Renders the scenes of a film side by side, on whatever machines serve the queue. */
public final class FilmProduction implements Workflow<Film, String> {
  // tag::options[]
  static final ActivityOptions GPU =
      ActivityOptions.onQueue("gpu")
          .visibility(Duration.ofMinutes(1)) // a worker that is silent for so long is lost
          .timeout(Duration.ofHours(2)) // of one attempt
          .totalTimeout(Duration.ofDays(1)); // of all of it, waiting included

  // end::options[]

  // tag::workflow[]
  @Override
  public String run(Context ctx, Film film) {
    var studio = ctx.activities(Studio.class, GPU);
    var forCustomer = ctx.with(ActivityOptions.defaults().key(film.customer()));

    var scenes = new ArrayList<Promise<String>>();
    for (var scene : film.scenes()) {
      scenes.add(forCustomer.schedule(studio::render, scene)); // goes on at once
    }
    var files = ctx.all(scenes);
    var result = studio.cut(files); // waits, as a call does
    ctx.schedule(studio::preview, film.title()); // nobody waits for it
    return result;
  }
  // end::workflow[]
}
