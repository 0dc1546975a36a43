package dev.reprise.verification.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The figures of one case, round after round. */
final class Series {
  private final Map<String, List<Double>> values = new LinkedHashMap<>();

  /** Adds what a round gave; the name says the unit. */
  Series add(String figure, double value) {
    values.computeIfAbsent(figure, _ -> new ArrayList<>()).add(value);
    return this;
  }

  /** What the rounds gave for a figure, in their order. */
  List<Double> of(String figure) {
    return List.copyOf(values.getOrDefault(figure, List.of()));
  }

  /** Over all rounds, in the order in which the figures came first. */
  Map<String, Spread> spreads() {
    var spreads = new LinkedHashMap<String, Spread>();
    values.forEach((figure, rounds) -> spreads.put(figure, Spread.of(rounds)));
    return spreads;
  }
}
