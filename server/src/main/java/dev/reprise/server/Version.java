package dev.reprise.server;

import dev.reprise.engine.archive.EngineVersion;
import picocli.CommandLine.IVersionProvider;

/** Which release this is. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {"Reprise " + EngineVersion.number() + " on Java " + Runtime.version()};
  }
}
