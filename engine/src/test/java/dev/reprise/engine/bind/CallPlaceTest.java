package dev.reprise.engine.bind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Steps;
import java.io.IOException;
import java.io.Serializable;
import java.lang.classfile.ClassFile;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallPlaceTest {
  private static final int OFTEN = 250; // more than it takes until class files are read

  private static final String SHOP =
      """
      package shop;

      import dev.reprise.Steps;
      import dev.reprise.Steps.Step1;

      public class Shop {
        int plain(int n) { return n; }
        int computed(int n) { return n; }
        int spread(int n) { return n; }
        int kept(int n) { return n; }
        int twice(int n) { return n; }
        int chosen(int n) { return n; }
        int other(int n) { return n; }
        int handed(int n) { return n; }
        int around(int n) { return n; }
        int sum(int a, int b) { return a + b; }

        static Step1<Integer, Integer> same(Step1<Integer, Integer> step) { return step; }

        int within(Steps steps, Step1<Integer, Integer> step) {
          return steps.run(step, 1); // 21
        }

        public void open(Steps steps, int[] numbers) {
          steps.run(this::plain, 1); // 25
          steps.run(this::sum, numbers.length + 1, Math.max(numbers[0], 2)); // 26
          steps
              .run(
                  this::spread,
                  numbers[0] + 1); // called at 28
          Step1<Integer, Integer> kept = this::kept;
          steps.run(kept, 1); // 32
          steps.run(kept, 2); // 33
          steps.run(this::twice, 1); // 34
          steps.run(this::twice, 2); // 35
          steps.run(numbers.length > 1 ? this::chosen : this::other, 1); // 36
          steps.run(same(this::handed), 1); // 37
          within(steps, this::around);
          within(steps, this::around);
          steps.run(this::computed, numbers.length > 1 ? 1 : 2); // 40
        }
      }
      """;

  @TempDir Path folder;

  private Compiled code = new Compiled(Path.of(""));
  private final List<Serializable> references = new ArrayList<>();
  private final List<@Nullable String> lines = new ArrayList<>();

  @BeforeEach
  void compile() {
    code = Compiled.of(folder, "shop.Shop", SHOP);
  }

  @Test
  void calls_are_found_at_their_lines_however_often_they_are_made() throws Exception {
    var shop = code.load("shop.Shop");
    var open = shop.getMethod("open", Steps.class, int[].class);
    var owner = shop.getConstructor().newInstance();
    open.invoke(owner, steps(), new int[] {1, 2});
    var once = List.copyOf(lines);

    lines.clear();
    for (int i = 0; i < OFTEN; i++) open.invoke(owner, steps(), new int[] {1, 2});

    assertThat(once)
        .containsExactly(
            "Shop.java:25",
            "Shop.java:26",
            "Shop.java:28",
            "Shop.java:32",
            "Shop.java:33",
            "Shop.java:34",
            "Shop.java:35",
            "Shop.java:36",
            "Shop.java:37",
            "Shop.java:21",
            "Shop.java:21",
            "Shop.java:40");
    for (int i = 0; i < OFTEN; i++) {
      assertThat(lines.subList(i * once.size(), (i + 1) * once.size())).isEqualTo(once);
    }
  }

  @Test
  void only_a_reference_that_goes_straight_into_one_call_stands_for_its_line() throws Exception {
    var shop = code.load("shop.Shop");
    var open = shop.getMethod("open", Steps.class, int[].class);
    open.invoke(shop.getConstructor().newInstance(), steps(), new int[] {1, 2});

    assertThat(lineOf("plain")).isEqualTo("Shop.java:25");
    assertThat(lineOf("sum")).isEqualTo("Shop.java:26");
    assertThat(lineOf("spread")).isEqualTo("Shop.java:28");
    assertThat(lineOf("kept")).isNull();
    assertThat(lineOf("twice")).isNull();
    assertThat(lineOf("chosen")).isNull();
    assertThat(lineOf("handed")).isNull();
    assertThat(lineOf("around")).isNull();
    assertThat(lineOf("computed")).isNull();
  }

  @Test
  void code_that_cannot_be_read_is_asked_for_its_line_each_time() throws Exception {
    var shop = code.load("shop.Shop");
    var open = shop.getMethod("open", Steps.class, int[].class);
    var owner = shop.getConstructor().newInstance();
    Files.delete(code.folder().resolve("shop/Shop.class"));

    for (int i = 0; i < OFTEN; i++) open.invoke(owner, steps(), new int[] {1, 2});

    assertThat(lines.subList(lines.size() - 12, lines.size()))
        .startsWith("Shop.java:25", "Shop.java:26")
        .endsWith("Shop.java:21", "Shop.java:40");
  }

  /** Looks for the line of each call, as the engine does. */
  private Steps steps() {
    return (Steps)
        Proxy.newProxyInstance(
            Steps.class.getClassLoader(),
            new Class<?>[] {Steps.class},
            (_, _, arguments) -> {
              references.add((Serializable) arguments[0]);
              lines.add(MethodRef.of((Serializable) arguments[0]).place().find());
              return 1;
            });
  }

  private @Nullable String lineOf(String method) throws IOException {
    for (var reference : references) {
      var serialized = serialized(reference);
      if (!serialized.getImplMethodName().equals(method)) continue;
      var bytes = Files.readAllBytes(code.folder().resolve("shop/Shop.class"));
      return DirectUse.of(serialized).line(ClassFile.of().parse(bytes));
    }
    throw new AssertionError("no reference to " + method);
  }

  private static SerializedLambda serialized(Serializable reference) {
    try {
      var replace = reference.getClass().getDeclaredMethod("writeReplace");
      replace.setAccessible(true);
      return (SerializedLambda) replace.invoke(reference);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
