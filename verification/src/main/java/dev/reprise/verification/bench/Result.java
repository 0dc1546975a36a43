package dev.reprise.verification.bench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What came out of one case.
 *
 * @param workload its id
 * @param store the kind of store
 * @param setting what distinguishes it from the other cases of the workload
 * @param figures by name, in the order to show them
 */
record Result(String workload, String store, String setting, Map<String, Spread> figures) {
  Result {
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
  }

  /** The same case once more. */
  Result with(Result other) {
    var all = new LinkedHashMap<>(figures);
    other.figures.forEach((name, spread) -> all.merge(name, spread, Spread::with));
    return new Result(workload, store, setting, all);
  }

  boolean isSameCase(Result other) {
    return workload.equals(other.workload)
        && store.equals(other.store)
        && setting.equals(other.setting);
  }
}
