package dev.reprise.engine.store;

import dev.reprise.engine.store.Store.Claim;
import dev.reprise.engine.store.Store.Trial;

/**
 * What the crashes of a run say about it. Up to {@link Claim#SUSPECT} they are the number of owners
 * that died, one after the other, before it recorded anything more. From then on it is on trial,
 * and they are 4 × the number of the trial, and how that went: 0 while no other suspect is in the
 * same memory, 1 if others are, 2 once an owner has died while it was alone. So it is known after a
 * death who was there, and who was there alone.
 */
public record Suspicion(int crashes) {
  private static final int ALONE = 0;
  private static final int IN_COMPANY = 1;
  private static final int PROVED = 2;

  /** What is known when an owner has died without progress, and another takes the run over. */
  public Suspicion died(Trial next) {
    if (crashes < Claim.SUSPECT) return new Suspicion(crashes + 1);
    if (crashes == Claim.SUSPECT) return trial(1, next);
    return kind() == IN_COMPANY ? trial(number() + 1, next) : new Suspicion(number() * 4 + PROVED);
  }

  /** What is known when another suspect comes into the same memory, or no other is left there. */
  public Suspicion tried(Trial trial) {
    return isOnTrial() && !isProved() ? trial(number(), trial) : this;
  }

  private static Suspicion trial(int number, Trial trial) {
    return new Suspicion(number * 4 + (trial == Trial.IN_COMPANY ? IN_COMPANY : ALONE));
  }

  private int number() {
    return crashes / 4;
  }

  private int kind() {
    return crashes % 4;
  }

  public boolean isOnTrial() {
    return crashes > Claim.SUSPECT;
  }

  /** Whether an owner has died while it was there alone. */
  public boolean isProved() {
    return isOnTrial() && kind() == PROVED;
  }

  /** How many owners have died while it was on trial with others. */
  public int shared() {
    return isOnTrial() ? number() - 1 : 0;
  }

  /** How many owners have died, one after the other. */
  public int deaths() {
    if (!isOnTrial()) return crashes;
    return Claim.SUSPECT + 1 + shared() + (isProved() ? 1 : 0);
  }
}
