package dev.reprise.verification.chaos;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads the messages of PostgreSQL's protocol, version 3, as far as they must be told apart. */
final class Frames {
  static final int SSL_REQUEST = 80877103;
  static final int ENCRYPTION_REQUEST = 80877104;
  private static final int MAX_LENGTH = 1 << 30;

  private Frames() {}

  /** What a client says first; it has no type. */
  record Opening(byte[] bytes) {
    int code() {
      return ByteBuffer.wrap(bytes).getInt(Integer.BYTES);
    }

    boolean asksForEncryption() {
      return code() == SSL_REQUEST || code() == ENCRYPTION_REQUEST;
    }

    static Opening read(DataInputStream in) throws IOException {
      var length = in.readInt();
      var bytes = ByteBuffer.allocate(checked(length, 2 * Integer.BYTES)).putInt(length).array();
      in.readFully(bytes, Integer.BYTES, length - Integer.BYTES);
      return new Opening(bytes);
    }
  }

  /** A message, of a client or of the server: type, length, content. */
  record Message(byte type, byte[] content) {
    static Message read(DataInputStream in) throws IOException {
      var type = in.readByte();
      var content = new byte[checked(in.readInt(), Integer.BYTES) - Integer.BYTES];
      in.readFully(content);
      return new Message(type, content);
    }

    void writeTo(OutputStream out) throws IOException {
      var head = ByteBuffer.allocate(1 + Integer.BYTES);
      head.put(type).putInt(content.length + Integer.BYTES);
      out.write(head.array());
      out.write(content);
    }

    /** Whether the server answers all messages up to this one with a ReadyForQuery. */
    boolean endsRequest() {
      return type == 'S' || type == 'Q';
    }

    /** Whether it waits for what follows it: not so a Flush, a password or a good-bye. */
    boolean opensRequest() {
      return "PBDEC".indexOf(type) >= 0;
    }

    /** Of a client: whether it runs a statement. */
    boolean isExecute() {
      return type == 'E';
    }

    boolean isReadyForQuery() {
      return type == 'Z';
    }

    /** Of a ReadyForQuery: whether no transaction is open any more. */
    boolean isIdle() {
      return content.length == 1 && content[0] == 'I';
    }

    boolean isNotification() {
      return type == 'A';
    }

    /** Of a message of the server: the new value if it tells one of that setting, else empty. */
    String setting(String name) {
      if (type != 'S') return "";
      var parts = new String(content, StandardCharsets.UTF_8).split("\0", -1);
      return Arrays.asList(parts).indexOf(name) == 0 ? parts[1] : "";
    }
  }

  private static int checked(int length, int least) throws IOException {
    if (length >= least && length <= MAX_LENGTH) return length;
    throw new EOFException("not a message of PostgreSQL: length " + length);
  }
}
