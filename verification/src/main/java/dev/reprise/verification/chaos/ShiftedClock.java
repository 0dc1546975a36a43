package dev.reprise.verification.chaos;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A wall clock that is wrong. Changes the JDK's own {@link Clock} for a child process: all of
 * {@code java.time} is off by a duration there, while {@code System.nanoTime} and {@code
 * System.currentTimeMillis} are right.
 */
public final class ShiftedClock {
  private static final ClassDesc INSTANT = ClassDesc.of(Instant.class.getName());
  private static final MethodTypeDesc PLUS =
      MethodTypeDesc.of(INSTANT, ClassDesc.ofDescriptor("J"));

  /** Where the JDK reads the wall clock: a class and its method. */
  private static final Map<String, String> READINGS =
      Map.of(
          "Clock", "currentInstant",
          "Clock$SystemClock", "millis",
          "Clock$SystemInstantSource", "millis");

  private ShiftedClock() {}

  /** Writes the classes into the folder, and gives the options of a JVM that uses them. */
  public static List<String> options(Path folder, Duration shift) throws IOException {
    var target = Files.createDirectories(folder.resolve("java/time"));
    for (var reading : READINGS.entrySet()) {
      var name = reading.getKey() + ".class";
      try (var original = Clock.class.getResourceAsStream(name)) {
        if (original == null) throw new IOException("this JDK has no " + name);
        var changed = shifted(original.readAllBytes(), reading.getValue(), shift);
        Files.write(target.resolve(name), changed);
      }
    }
    return List.of("--patch-module", "java.base=" + folder);
  }

  /** The class with the shift added to what that method is about to return. */
  private static byte[] shifted(byte[] original, String method, Duration shift) {
    Consumer<CodeBuilder> addition =
        method.equals("millis")
            ? code -> code.loadConstant(shift.toMillis()).ladd()
            : code -> code.loadConstant(shift.toNanos()).invokevirtual(INSTANT, "plusNanos", PLUS);
    var transform =
        ClassTransform.transformingMethodBodies(
            candidate -> candidate.methodName().equalsString(method),
            (code, element) -> {
              if (element instanceof ReturnInstruction) addition.accept(code);
              code.with(element);
            });
    return ClassFile.of().transformClass(ClassFile.of().parse(original), transform);
  }
}
