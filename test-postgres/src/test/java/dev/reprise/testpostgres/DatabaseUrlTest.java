package dev.reprise.testpostgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseUrlTest {
  @Test
  void another_database_keeps_server_and_parameters() {
    var url = DatabaseUrl.parse("jdbc:postgresql://db.local:5433/first?user=a&password=b");

    assertThat(url.of("second"))
        .hasToString("jdbc:postgresql://db.local:5433/second?user=a&password=b");
  }

  @Test
  void the_port_may_be_left_out() {
    assertThat(DatabaseUrl.parse("jdbc:postgresql://db.local/first"))
        .isEqualTo(new DatabaseUrl("db.local", 5432, "first", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdbc:sqlite:a.db", "postgresql://a/b", "jdbc:postgresql://a:1,b:2/c"})
  void other_urls_are_refused(String url) {
    assertThatThrownBy(() -> DatabaseUrl.parse(url)).hasMessageContaining(url);
  }
}
