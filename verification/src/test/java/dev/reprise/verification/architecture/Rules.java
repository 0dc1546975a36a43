package dev.reprise.verification.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.lang.ArchRule;

/** Rules that hold for the product and for its tests alike. */
final class Rules {
  static final ArchRule NAMES_SAY_WHAT_A_CLASS_IS =
      noClasses()
          .should()
          .haveNameMatching(".*[.$](\\w*(Util|Utils|Helper|Manager|Impl)|(Abstract|Base)[A-Z]\\w*)")
          .because("such names say how a class came to be, not what it is");

  static final ArchRule NO_OLD_DATES =
      noClasses()
          .should()
          .dependOnClassesThat()
          .haveNameMatching("java[.]util[.](Date|Calendar|GregorianCalendar)")
          .because("java.time has a type for each meaning");

  private Rules() {}

  /** Calls of, references to, and reads of members, by regular expressions. */
  static DescribedPredicate<JavaAccess<?>> member(String owner, String name) {
    return describe(
        owner + " " + name,
        access ->
            access.getTargetOwner().getName().matches(owner)
                && access.getTarget().getName().matches(name));
  }
}
