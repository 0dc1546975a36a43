package dev.reprise.verification.chaos;

import java.util.ArrayList;
import java.util.List;

/** What was tried in a round and what was found. */
public record Report(
    long seed, Tried tried, Verdict.Found found, int lives, List<String> problems) {
  private static final int SHOWN = 20;

  /** How often each thing was done, and how often callers had to call again. */
  record Tried(
      int kills, int freezes, int databaseKills, int cuts, int hintsLost, int callsRepeated) {}

  public boolean isGood() {
    return problems.isEmpty() && found.isGood();
  }

  /** Acknowledged starts. */
  public int starts() {
    return found.starts();
  }

  public int hintsLost() {
    return tried.hintsLost();
  }

  /** A table for people. */
  public String text() {
    var lines = new ArrayList<String>();
    lines.add("tried   seed                %d".formatted(seed));
    lines.add("        engine kills        %d".formatted(tried.kills()));
    lines.add("        engine freezes      %d".formatted(tried.freezes()));
    lines.add("        database kills      %d".formatted(tried.databaseKills()));
    lines.add("        connections cut     %d".formatted(tried.cuts()));
    lines.add("        notifications lost  %d".formatted(tried.hintsLost()));
    lines.add("        calls repeated      %d".formatted(tried.callsRepeated()));
    lines.add("acked   starts              %d".formatted(found.starts()));
    lines.add("        signals             %d".formatted(found.signals()));
    lines.add("ended   whole lives         %d".formatted(lives));
    lines.add("found   lost                %d".formatted(found.lost()));
    lines.add("        duplicated          %d".formatted(found.duplicated()));
    lines.add("        early timers        %d".formatted(found.earlyTimers()));
    lines.add("        wrong otherwise     %d".formatted(found.wrong()));
    lines.add("noted   attempts repeated   %d".formatted(found.reruns()));
    lines.add("        of frozen owners    %d".formatted(found.stale()));
    found.findings().stream().limit(SHOWN).forEach(finding -> lines.add("! " + finding));
    problems.stream().limit(SHOWN).forEach(problem -> lines.add("! " + problem));
    return String.join(System.lineSeparator(), lines);
  }
}
