package dev.reprise.peers.dbos;

import dev.dbos.transact.DBOS;
import dev.reprise.verification.bench.Contestant;
import dev.reprise.verification.bench.Probes;
import dev.reprise.verification.bench.Records;
import dev.reprise.verification.bench.Subject;
import java.util.List;

/** DBOS Transact with the defaults of the library. */
public final class Dbos implements Contestant {
  @Override
  public String name() {
    return "DBOS";
  }

  @Override
  public String version() {
    return "DBOS Transact Java " + DBOS.version();
  }

  @Override
  public Subject open(String url, Probes probes) {
    // At 1,000 in flight its pool runs dry, and writing the warnings would be measured with it.
    System.setProperty("org.slf4j.simpleLogger.log.dev.dbos", "error");
    return DbosEngine.open(url, probes);
  }

  @Override
  public Records read(String url) {
    return new DbosRecords(url);
  }

  @Override
  public List<String> remarks(String workload) {
    return workload.equals("W3")
        ? List.of("DBOS: a child workflow without steps for each, as it has no parallel steps")
        : List.of();
  }
}
