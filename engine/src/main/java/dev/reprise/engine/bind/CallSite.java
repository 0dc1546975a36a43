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

  private static boolean isUserCode(StackFrame frame) {
    var name = frame.getClassName();
    if (name.startsWith(ENGINE)) return false;
    if (name.startsWith("jdk.") || name.startsWith("java.")) return false;
    return !isApi(name) && frame.getLineNumber() > 0;
  }

  /** The default methods of the API itself; packages below it are users like any other. */
  private static boolean isApi(String name) {
    return name.startsWith(API) && name.indexOf('.', API.length()) < 0;
  }

  private static String text(StackFrame frame) {
    var file = frame.getFileName();
    return (file == null ? frame.getClassName() : file) + ":" + frame.getLineNumber();
  }
}
