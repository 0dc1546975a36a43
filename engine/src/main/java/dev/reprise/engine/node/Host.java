package dev.reprise.engine.node;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The machine and process that a node is on, for people. */
final class Host {
  private Host() {}

  static String name() {
    long pid = ProcessHandle.current().pid();
    try {
      return InetAddress.getLocalHost().getHostName() + "/" + pid;
    } catch (UnknownHostException e) {
      return "localhost/" + pid; // a machine without a name is no reason not to start
    }
  }
}
