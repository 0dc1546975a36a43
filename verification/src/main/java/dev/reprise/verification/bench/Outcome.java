package dev.reprise.verification.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a process found out about a contestant.
 *
 * @param engine the product and its version
 * @param results of one workload
 * @param notes on them
 * @param sound whether nothing was wrong
 */
record Outcome(String engine, List<Result> results, List<Report.Note> notes, boolean sound) {
  Outcome {
    results = List.copyOf(results);
    notes = List.copyOf(notes);
  }

  /** The same found out once more, by another process. */
  Outcome with(Outcome again) {
    var all = new ArrayList<Result>();
    for (var result : results) {
      var same = again.results.stream().filter(result::isSameCase).findFirst();
      all.add(same.map(result::with).orElse(result));
    }
    var remarks = Stream.concat(notes.stream(), again.notes.stream()).distinct().toList();
    return new Outcome(engine, all, remarks, sound && again.sound);
  }

  static Outcome parse(String json) {
    return JsonMapper.shared().readValue(json, Outcome.class);
  }

  String json() {
    return JsonMapper.shared().writeValueAsString(this);
  }
}
