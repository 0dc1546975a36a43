package dev.reprise.jdbc;

import dev.reprise.ErrorCode;
import dev.reprise.engine.store.Store.StoreUnavailable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * In which schema the tables of Reprise are, or are to be: in the one that the user names, or else
 * in {@value #DEFAULT}. Databases of earlier releases have them in the first schema of the search
 * path, mostly {@code public}, and keep them there.
 *
 * @param database what the database is called in messages
 * @param explicit the schema that the user has named, if any
 * @param here the first schema of the user's search path, or empty
 */
record SchemaChoice(String database, @Nullable String explicit, String here) {
  static final String DEFAULT = "reprise";

  /** What all releases before there was a choice listen to, wherever their tables are. */
  private static final String COMMON_CHANNEL = "reprise";

  private static final String USUAL = "public";
  private static final int LONGEST_NAME = 63; // bytes; PostgreSQL cuts longer ones off

  /**
   * @param setting what {@code Reprise.schema(…)} says; it counts more than the URL
   * @param searchPath {@code currentSchema} in the URL
   */
  static SchemaChoice of(
      String database, @Nullable String setting, @Nullable String searchPath, String here) {
    if (setting != null) return new SchemaChoice(database, setting, here);
    if (searchPath == null) return new SchemaChoice(database, null, here);
    if (!here.isEmpty()) return new SchemaChoice(database, here, here);
    return new SchemaChoice(database, first(searchPath, database), here);
  }

  /** The first name of a search path, as the server reads it. */
  private static String first(String searchPath, String database) {
    var text = searchPath.strip();
    boolean isQuoted = text.startsWith("\"");
    var name =
        isQuoted
            ? text.replaceFirst("(?s)^\"((?:[^\"]|\"\")*)\".*$", "$1").replace("\"\"", "\"")
            : text.replaceFirst("(?s),.*$", "").strip().toLowerCase(Locale.ROOT);
    if (!name.isEmpty() && !name.equals("$user")) return name;
    throw new StoreUnavailable(
        ErrorCode.R115,
        "%s has no schema of currentSchema='%s': create it first".formatted(database, searchPath),
        null);
  }

  /** The schemas that come into question; new tables go into the first. */
  List<String> names() {
    if (explicit != null) return List.of(explicit);
    return Stream.of(DEFAULT, here).filter(name -> !name.isEmpty()).distinct().toList();
  }

  /** Where the tables of Reprise must not be as well, or empty. */
  String rival(String chosen) {
    return names().stream().filter(name -> !name.equals(chosen)).findFirst().orElse("");
  }

  /**
   * Looks where the tables are; if nowhere yet, where they are to be.
   *
   * @throws StoreUnavailable {@code R115} if there are tables of something else, {@code R152} if
   *     two schemas have the tables of Reprise, {@code R153} if the user may not use the schema
   */
  SchemaPlace make(Session session) {
    var places = SchemaPlace.look(session, names());
    var found = places.stream().filter(SchemaPlace::hasTables).toList();
    if (found.size() > 1) throw twice(database, found.get(0).name(), found.get(1).name());
    if (found.isEmpty()) return checkFree(places.getFirst());
    var place = found.getFirst();
    if (!place.isUsable()) {
      throw forbidden(
          "use the schema '%s' of %s".formatted(place.name(), database),
          place,
          """
          GRANT USAGE ON SCHEMA %1$s TO %2$s; \
          GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %1$s TO %2$s;\
          """
              .formatted(SchemaPlace.quoted(place.name()), SchemaPlace.quoted(place.user())));
    }
    return place;
  }

  /** A schema that nobody has named must be empty: what is in it belongs to something else. */
  private SchemaPlace checkFree(SchemaPlace place) {
    var others = explicit == null ? place.others() : place.taken();
    if (others.isEmpty()) return place;
    throw new StoreUnavailable(
        ErrorCode.R115,
        """
        the schema '%s' of %s has tables of something else: %s. They were left as they are. Give \
        Reprise another schema, by currentSchema=… in the URL or by schema("…")\
        """
            .formatted(place.name(), database, others),
        null);
  }

  /**
   * Checks that the user may create the tables there.
   *
   * @throws StoreUnavailable {@code R153} if not
   */
  void checkRights(SchemaPlace place) {
    var missing = place.missingRights();
    if (missing.isEmpty()) return;
    var what = place.exists() ? "create tables in the schema" : "create the schema";
    throw forbidden("%s '%s' in %s".formatted(what, place.name(), database), place, missing);
  }

  private static StoreUnavailable forbidden(String what, SchemaPlace place, String command) {
    return new StoreUnavailable(
        ErrorCode.R153,
        """
        the user '%s' may not %s. An administrator of database '%s' has to run: %s\
        """
            .formatted(place.user(), what, place.database(), command),
        null);
  }

  static StoreUnavailable twice(String database, String one, String other) {
    return new StoreUnavailable(
        ErrorCode.R152,
        """
        %1$s has the tables of Reprise twice, in the schemas '%2$s' and '%3$s'. Say which ones are \
        meant, by currentSchema=%2$s or currentSchema=%3$s in the URL or by schema("…"); \
        drop the others if nothing in them is needed\
        """
            .formatted(database, one, other),
        null);
  }

  /**
   * The channel of hints between the engines of one schema. Engines of earlier releases, which have
   * {@code public} as a rule, are heard there.
   */
  static String channel(String schema) {
    if (schema.equals(USUAL)) return COMMON_CHANNEL;
    var bytes = schema.getBytes(StandardCharsets.UTF_8);
    var name = COMMON_CHANNEL + "/" + schema;
    if (COMMON_CHANNEL.length() + 1 + bytes.length <= LONGEST_NAME) return name;
    return COMMON_CHANNEL + "/" + UUID.nameUUIDFromBytes(bytes);
  }
}
