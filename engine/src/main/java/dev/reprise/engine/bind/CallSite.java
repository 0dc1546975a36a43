package dev.reprise.engine.bind;

import java.lang.StackWalker.StackFrame;
import org.jspecify.annotations.Nullable;

/** Finds the line of user code that called the engine. */
public final class CallSite {
  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final String ENGINE = "dev.reprise.engine.";
  private static final String API = "dev.reprise.";

  private CallSite() {}

  /** Such as {@code Checkout.java:42}, or null if no user code is on the stack. */
  public static @Nullable String find() {
    return WALKER.walk(
        frames -> frames.filter(CallSite::isUserCode).findFirst().map(CallSite::text).orElse(null));
  }

  /** The same for another thread, which must not be on its way. */
  public static @Nullable String in(Thread thread) {
    if (thread.equals(Thread.currentThread())) return find();
    for (var frame : thread.getStackTrace()) {
      if (isUserCode(frame.getClassName()) && frame.getLineNumber() > 0) {
        return text(frame.getFileName(), frame.getClassName(), frame.getLineNumber());
      }
    }
    return null;
  }

  private static boolean isUserCode(StackFrame frame) {
    return isUserCode(frame.getClassName()) && frame.getLineNumber() > 0;
  }

  private static boolean isUserCode(String name) {
    if (name.startsWith(ENGINE)) return false;
    if (name.startsWith("jdk.") || name.startsWith("java.")) return false;
    return !isApi(name);
  }

  /** The default methods of the API itself; packages below it are users like any other. */
  private static boolean isApi(String name) {
    return name.startsWith(API) && name.indexOf('.', API.length()) < 0;
  }

  private static String text(StackFrame frame) {
    return text(frame.getFileName(), frame.getClassName(), frame.getLineNumber());
  }

  private static String text(@Nullable String file, String className, int line) {
    return (file == null ? className : file) + ":" + line;
  }
}
