package dev.reprise.verification.bench;

import java.util.List;
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

  static Outcome parse(String json) {
    return JsonMapper.shared().readValue(json, Outcome.class);
  }

  String json() {
    return JsonMapper.shared().writeValueAsString(this);
  }
}
