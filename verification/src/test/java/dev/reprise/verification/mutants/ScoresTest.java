package dev.reprise.verification.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScoresTest {

  @Test
  void each_package_has_a_line_and_all_have_one() {
    var mutants =
        List.of(
            "A.java,com.acme.b.A,org.pitest.Math,add,7,KILLED,a.Test",
            "A.java,com.acme.b.A$Part,org.pitest.Math,add,8,SURVIVED,none",
            "A.java,com.acme.b.A,org.pitest.Math,loop,9,TIMED_OUT,a.Test",
            "C.java,com.acme.a.C,org.pitest.Math,add,7,NO_COVERAGE,none");

    assertThat(Scores.table(mutants))
        .containsExactly(
            "package    mutants  killed    score timed out  survived  untested",
            "a                1       0    0.0 %         0         0         1",
            "b                3       2   66.7 %         1         1         0",
            "all              4       2   50.0 %         1         1         1");
  }
}
