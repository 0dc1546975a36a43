package dev.reprise.engine.filter;

import dev.reprise.RepriseException;
import dev.reprise.Status;
import dev.reprise.engine.filter.Field.Column;
import dev.reprise.engine.filter.Token.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Reads a filter by recursive descent. Whatever is wrong is said with its position. */
final class FilterParser {
  private static final int MAX_LENGTH = 10_000; // characters; a longer one was made by mistake
  private static final int MAX_DEPTH = 30; // parentheses and nots; databases have a limit, too
  private static final int MAX_TERMS = 200; // comparisons and values, each one a part of the SQL

  private final String text;
  private final Literals literals;
  private final Instant now;
  private List<Token> tokens = List.of();
  private int next;
  private int depth;
  private int terms;

  FilterParser(String text, Instant now) {
    this.text = text;
    this.now = now;
    this.literals = new Literals(text, now);
  }

  Filter parse() {
    if (text.isBlank()) return Filter.ALL;
    if (text.length() > MAX_LENGTH) {
      throw wrong(MAX_LENGTH, "a filter has at most %d characters".formatted(MAX_LENGTH));
    }
    tokens = Lexer.tokens(text);
    var filter = alternatives();
    if (peek().kind() != Kind.END) throw expected("and, or, or the end");
    return filter;
  }

  private Filter alternatives() {
    return Filter.or(separated("or", this::conjunction));
  }

  private Filter conjunction() {
    return Filter.and(separated("and", this::negation));
  }

  private List<Filter> separated(String word, Supplier<Filter> part) {
    var parts = new ArrayList<Filter>();
    do {
      parts.add(part.get());
    } while (take(word));
    return parts;
  }

  private Filter negation() {
    var token = peek();
    boolean negates = token.isWord("not");
    if (!negates && !token.isSymbol("(")) return comparison();
    if (++depth > MAX_DEPTH) {
      throw wrong(token.at(), "a filter has at most %d levels".formatted(MAX_DEPTH));
    }
    next++;
    var inner = negates ? new Filter.Not(negation()) : alternatives();
    if (!negates) takeSymbol(")", "and, or, or )");
    depth--;
    return inner;
  }

  private Filter comparison() {
    var token = peek();
    count(token);
    if (token.kind() != Kind.WORD) throw expected("a field, not or (");
    next++;
    if (token.isWord("status")) return statusTest();
    if (token.isWord("waitsFor")) return waitTest();
    var field = new FieldName(text, token).field();
    return test(field);
  }

  private Filter test(Field field) {
    var token = peek();
    if (take("is")) return nullTest(field);
    boolean negates = take("not");
    Filter filter;
    if (take("in")) filter = new Filter.AnyOf(field, list(() -> value(field)));
    else if (take("like")) filter = like(field, token);
    else if (negates) throw expected("in or like");
    else filter = relation(field);
    return negates ? new Filter.Not(filter) : filter;
  }

  private Filter nullTest(Field field) {
    boolean negates = take("not");
    if (!take("null")) throw expected(negates ? "null" : "null or not null");
    var missing = new Filter.Missing(field);
    return negates ? new Filter.Not(missing) : missing;
  }

  private Filter like(Field field, Token operator) {
    if (field instanceof Column column && column.isTime()) {
      throw wrong(operator.at(), "like is for texts, and %s is a time".formatted(column.label()));
    }
    var token = peek();
    if (token.kind() != Kind.TEXT) throw expected("a text such as 'order-%'");
    count(token);
    next++;
    if (LikePattern.wrongAt(token.text()) < 0) {
      return new Filter.Like(field, new LikePattern(token.text()));
    }
    throw wrong(token.at(), "a \\ stands in front of %, _ or \\ here; write \\\\ for one");
  }

  private Filter relation(Field field) {
    var token = peek();
    for (var relation : Relation.values()) {
      if (!token.isSymbol(relation.symbol())) continue;
      next++;
      var at = peek();
      var value = value(field);
      if (relation.isOrder() && value instanceof Value.Truth) {
        throw wrong(at.at(), "true and false have no order: use = or !=");
      }
      return new Filter.Compare(field, relation, value);
    }
    throw expected("=, !=, <, <=, >, >=, in, like or is");
  }

  private Value value(Field field) {
    count(peek());
    var rest = tokens.subList(next, tokens.size());
    var literal = literals.read(field, rest);
    next += literal.tokens();
    return literal.value();
  }

  private Filter statusTest() {
    if (take("is")) throw wrong(tokens.get(next - 1).at(), "a status is never null: use =");
    boolean negates = take("not");
    if (take("in")) {
      var all = EnumSet.noneOf(Status.class);
      list(this::statuses).forEach(all::addAll);
      return inStatus(all, negates);
    }
    if (negates) throw expected("in");
    boolean differs = peek().isSymbol("!=");
    if (!differs && !peek().isSymbol("=")) throw expected("=, != or in");
    next++;
    return inStatus(EnumSet.copyOf(statuses()), differs);
  }

  private static Filter inStatus(EnumSet<Status> statuses, boolean negates) {
    return new Filter.InStatus(negates ? EnumSet.complementOf(statuses) : statuses);
  }

  private Filter waitTest() {
    if (take("is")) throw wrong(tokens.get(next - 1).at(), "waitsFor is never null: use =");
    boolean negates = take("not");
    var kinds = EnumSet.noneOf(WaitKind.class);
    if (take("in")) {
      list(this::waits).forEach(kinds::addAll);
    } else {
      if (negates) throw expected("in");
      negates = peek().isSymbol("!=");
      if (!negates && !peek().isSymbol("=")) throw expected("=, != or in");
      next++;
      kinds.addAll(waits());
    }
    var filter = new Filter.WaitsFor(kinds, now);
    return negates ? new Filter.Not(filter) : filter;
  }

  private Set<WaitKind> waits() {
    count(peek());
    var found = WaitKind.of(peek());
    if (found.isEmpty()) throw expected(WaitKind.ALL);
    next++;
    return found;
  }

  private Set<Status> statuses() {
    count(peek());
    var found = StatusName.statuses(peek());
    if (found.isEmpty()) throw expected(StatusName.ALL);
    next++;
    return found;
  }

  private <T> List<T> list(Supplier<T> element) {
    takeSymbol("(", "(");
    var elements = new ArrayList<T>();
    do {
      elements.add(element.get());
    } while (takeIfSymbol(","));
    takeSymbol(")", ", or )");
    return elements;
  }

  private void count(Token token) {
    if (++terms > MAX_TERMS) {
      throw wrong(
          token.at(), "a filter has at most %d comparisons and values".formatted(MAX_TERMS));
    }
  }

  private Token peek() {
    return tokens.get(next);
  }

  private boolean take(String word) {
    if (!peek().isWord(word)) return false;
    next++;
    return true;
  }

  private boolean takeIfSymbol(String symbol) {
    if (!peek().isSymbol(symbol)) return false;
    next++;
    return true;
  }

  private void takeSymbol(String symbol, String what) {
    if (!takeIfSymbol(symbol)) throw expected(what);
  }

  private RepriseException expected(String what) {
    return wrong(peek().at(), "expected %s, found %s".formatted(what, peek().shown()));
  }

  private RepriseException wrong(int position, String what) {
    return Mistake.at(text, position, what);
  }
}
