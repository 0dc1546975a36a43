package dev.reprise.examples.outside;

import dev.reprise.ActivityContext;
import java.util.function.BiConsumer;

/** Sends a link by which a paper can be signed. */
public final class SigningService implements Signing {
  private final BiConsumer<String, String> mail;

  public SigningService(BiConsumer<String, String> mail) {
    this.mail = mail;
  }

  // tag::later[]
  @Override
  public Signature sign(String document, String email) {
    var token = ActivityContext.current().completeLater();
    mail.accept(email, "Please sign: https://sign.example/" + document + "?task=" + token);
    return new Signature("", ""); // ignored: somebody else completes it
  }
  // end::later[]
}
