package dev.reprise.verification.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Makes mistakes and looks at what they say. */
final class Mistakes {
  private Mistakes() {}

  interface Mistake {
    void make(Context ctx) throws Exception;
  }

  /** What a mistake in workflow code says to the code that made it. */
  static RepriseException caught(World world, Mistake mistake) {
    var caught = new AtomicReference<RepriseException>();
    var result =
        world.play(
            (ctx, _) -> {
              try {
                mistake.make(ctx);
              } catch (RepriseException e) {
                caught.set(e);
              }
              return "went on";
            });
    assertThat(result).isEqualTo("went on");
    assertThat(caught.get()).as("what was thrown").isNotNull();
    return caught.get();
  }

  /** What the call throws. */
  static RepriseException thrownBy(ThrowingCallable call) {
    var e = catchThrowableOfType(RepriseException.class, call);
    return e == null ? new RepriseException(ErrorCode.R119, "nothing was thrown") : e;
  }

  static void assertSays(RepriseException e, ErrorCode code, String... texts) {
    assertThat(e.code()).isEqualTo(code);
    assertThat(e)
        .hasMessageStartingWith(code + " ")
        .hasMessageContainingAll(texts)
        .hasMessageContaining("(see ./reprise explain " + code + ")");
  }
}
