package dev.reprise.engine.filter;

import dev.reprise.RepriseException;
import dev.reprise.Texts;
import dev.reprise.engine.filter.Field.Index;
import dev.reprise.engine.filter.Field.Key;
import dev.reprise.engine.filter.Field.Step;
import dev.reprise.engine.filter.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/** Cuts the text of a filter into tokens. A field with its path is one of them. */
final class Lexer {
  private static final int MAX_INDEX_DIGITS = 9; // fits an int
  private static final int MAX_PATH = 50; // steps; more than any input has levels

  private final String text;
  private int at;

  private Lexer(String text) {
    this.text = text;
  }

  static List<Token> tokens(String text) {
    var lexer = new Lexer(text);
    var tokens = new ArrayList<Token>();
    do {
      tokens.add(lexer.next());
    } while (tokens.getLast().kind() != Kind.END);
    return tokens;
  }

  private Token next() {
    while (Character.isWhitespace(peek())) at++;
    int start = at;
    if (at == text.length()) return new Token(Kind.END, "", start);
    if (peek() == '\'') return new Token(Kind.TEXT, quoted(), start);
    if (isDigit(peek())) return number();
    if (isWordStart(peek())) return word();
    return symbol();
  }

  private Token symbol() {
    int start = at;
    for (var symbol : List.of("!=", "<=", ">=", "=", "<", ">", "(", ")", ",", "-", "+")) {
      if (!text.startsWith(symbol, at)) continue;
      at += symbol.length();
      return new Token(Kind.SYMBOL, symbol, start);
    }
    var found = Character.toString(text.codePointAt(at));
    throw wrong(start, "'%s' has no meaning here; texts stand in 'single quotes'".formatted(found));
  }

  private Token word() {
    int start = at;
    while (isWordStart(peek()) || isDigit(peek())) at++;
    var word = text.substring(start, at);
    var path = new ArrayList<Step>();
    while (peek() == '.' || peek() == '[') {
      path.add(peek() == '.' ? key() : index());
      if (path.size() > MAX_PATH) throw wrong(start, "a path has at most " + MAX_PATH + " steps");
    }
    return new Token(Kind.WORD, word, List.copyOf(path), start);
  }

  private Key key() {
    at++;
    int start = at;
    if (peek() == '\'') {
      var key = quoted();
      if (!key.isEmpty() && key.chars().noneMatch(Lexer::isUnfitForKey)) return new Key(key);
      throw wrong(start, "a key is not empty and has no \", no \\ and no control character");
    }
    while (isWordStart(peek()) || isDigit(peek()) || peek() == '-') at++;
    if (at > start && !isDigit(text.charAt(start))) return new Key(text.substring(start, at));
    throw wrong(start, "expected a name; one with other characters stands in 'single quotes'");
  }

  /** What the paths of some database could not say. */
  private static boolean isUnfitForKey(int character) {
    return character == '"' || character == '\\' || Character.isISOControl(character);
  }

  private Index index() {
    int start = ++at;
    while (isDigit(peek())) at++;
    int digits = at - start;
    if (digits == 0) throw wrong(at, "expected the number of an element, from 0");
    if (digits > MAX_INDEX_DIGITS) throw wrong(start, "the number is too large");
    if (peek() != ']') throw wrong(at, "expected ]");
    int number = Integer.parseInt(text.substring(start, at));
    at++;
    return new Index(number);
  }

  private Token number() {
    int start = at;
    digits();
    if (peek() == '.') {
      at++;
      if (!isDigit(peek())) throw wrong(at, "expected a digit");
      digits();
    }
    if (isExponent()) {
      at += 2;
      digits();
    }
    if (!isWordStart(peek())) return new Token(Kind.NUMBER, text.substring(start, at), start);
    while (isWordStart(peek()) || isDigit(peek())) at++;
    return new Token(Kind.SPAN, text.substring(start, at), start);
  }

  private boolean isExponent() {
    if (peek() != 'e' && peek() != 'E') return false;
    char next = at + 1 < text.length() ? text.charAt(at + 1) : 0;
    char afterSign = at + 2 < text.length() ? text.charAt(at + 2) : 0;
    return isDigit(next) || ((next == '+' || next == '-') && isDigit(afterSign));
  }

  private void digits() {
    while (isDigit(peek())) at++;
  }

  /** A quote in the text is written twice. */
  private String quoted() {
    int start = at;
    var value = new StringBuilder();
    for (at++; at < text.length(); at++) {
      char character = text.charAt(at);
      if (character == '\'') {
        if (at + 1 == text.length() || text.charAt(at + 1) != '\'') {
          at++;
          return checked(value.toString(), start);
        }
        at++;
      }
      value.append(character);
    }
    throw wrong(start, "this text has no end: the ' behind it is missing");
  }

  /** Databases cannot keep these, so nothing is equal to them. */
  private String checked(String value, int start) {
    if (Texts.flaw(value) < 0) return value;
    throw wrong(start, "this text has a character that no database keeps");
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  private static boolean isDigit(char character) {
    return character >= '0' && character <= '9';
  }

  private static boolean isWordStart(char character) {
    return character == '_' || character == '$' || Character.isLetter(character);
  }

  private RepriseException wrong(int position, String what) {
    return Mistake.at(text, position, what);
  }
}
