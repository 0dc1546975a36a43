package dev.reprise.engine.machine;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The machine and process that a node is on, for people. */
public final class Host {
  private static final String NAME = machine();

  private Host() {}

  /**
   * Whether that is a process of this machine that has ended. One of another container on it may
   * look like that: so this is a reason to lose no time, and no proof.
   */
  public static boolean hasEnded(String host) {
    int slash = host.lastIndexOf('/');
    if (slash < 0 || !host.substring(0, slash).equals(NAME)) return false;
    try {
      return ProcessHandle.of(Long.parseLong(host, slash + 1, host.length(), 10)).isEmpty();
    } catch (NumberFormatException other) {
      return false;
    }
  }

  static String name() {
    return NAME + "/" + ProcessHandle.current().pid();
  }

  private static String machine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost"; // a machine without a name is no reason not to start
    }
  }
}
