package dev.reprise.examples.outside;

import dev.reprise.Client;
import dev.reprise.Completion;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;

/** What the web page calls. */
public final class SigningDesk {
  private final Client client;

  public SigningDesk(Client client) {
    this.client = client;
  }

  // tag::complete[]
  /** Somebody has signed. May well be called twice for one click. */
  public String signed(String token, Signature signature) {
    try {
      return switch (client.complete(token, signature)) {
        case Completion.ACCEPTED -> "thank you";
        case Completion.ALREADY_COMPLETED -> "thank you, we know already";
      };
    } catch (RepriseException refused) {
      if (refused.code() == ErrorCode.R133) return "this link is not valid";
      if (refused.code() == ErrorCode.R134) return "this link has expired";
      throw refused;
    }
  }

  // end::complete[]

  // tag::fail[]
  /** Somebody does not want to sign. */
  public void declined(String token, String reason) {
    client.fail(token, new IllegalStateException("declined: " + reason));
  }
  // end::fail[]
}
