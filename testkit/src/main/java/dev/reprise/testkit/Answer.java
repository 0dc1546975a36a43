package dev.reprise.testkit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The answer of a call that a workflow may need time for: then the time of the test passes. */
final class Answer<R extends @Nullable Object> {
  private static final long AT_ONCE = 200; // milliseconds in which an answer comes that needs none

  private final CompletableFuture<R> answer;

  Answer(Supplier<R> call) {
    this.answer = CompletableFuture.supplyAsync(call, Thread::startVirtualThread);
  }

  R await(Clockwork clock) {
    try {
      return answer.get(AT_ONCE, TimeUnit.MILLISECONDS);
    } catch (TimeoutException slow) {
      clock.until(answer::isDone, null);
      return joined();
    } catch (ExecutionException e) {
      throw unchecked(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for an answer", e);
    }
  }

  private R joined() {
    try {
      return answer.join();
    } catch (CompletionException e) {
      throw unchecked(e.getCause());
    }
  }

  private static RuntimeException unchecked(@Nullable Throwable cause) {
    if (cause instanceof Error error) throw error;
    return cause instanceof RuntimeException e ? e : new IllegalStateException(cause);
  }
}
