package io.slipstream.data.json;

import io.slipstream.data.DecodeException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Splits JSON into its tokens, exactly as RFC 8259 has them. */
final class JsonScanner {
    private static final int MAX_DEPTH = 64;

    private final byte[] bytes;
    private final int begin;
    private final int end;
    private int at;
    private int depth;

    /** What is being read, such as {@code Order.legs}. */
    private String field;

    JsonScanner(byte[] bytes, int offset, int length, String field) {
        this.bytes = bytes;
        begin = offset;
        end = offset + length;
        at = offset;
        this.field = field;
    }

    void field(String name) {
        field = name;
    }

    String field() {
        return field;
    }

    /** Returns the position of the next token. */
    int position() {
        space();
        return at - begin;
    }

    DecodeException bad(int position, String what) {
        return new DecodeException(field, position, what);
    }

    private DecodeException expected(String what) {
        return bad(at - begin, "expected " + what + ", but " + (at == end ? "the text ends" : "found " + shown()));
    }

    private String shown() {
        int c = bytes[at] & 0xff;
        return c > ' ' && c < 0x7f ? "'" + (char) c + "'" : "byte " + c;
    }

    private void space() {
        while (at < end && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == '\t')) {
            at++;
        }
    }

    /** Returns whether the next token begins with this character, and if so, goes behind that. */
    boolean take(char c) {
        space();
        if (at < end && bytes[at] == c) {
            at++;
            return true;
        }
        return false;
    }

    void expect(char c) {
        if (!take(c)) {
            throw expected("'" + c + "'");
        }
    }

    void open(char c) {
        expect(c);
        if (++depth > MAX_DEPTH) {
            throw bad(at - 1 - begin, "is nested deeper than " + MAX_DEPTH + " levels");
        }
    }

    void close() {
        depth--;
    }

    void end() {
        space();
        if (at != end) {
            throw expected("the end of the text");
        }
    }

    boolean takeWord(String word) {
        space();
        if (word.length() > end - at) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if (bytes[at + i] != word.charAt(i)) {
                return false;
            }
        }
        at += word.length();
        return true;
    }

    boolean isString() {
        space();
        return at < end && bytes[at] == '"';
    }

    boolean bool() {
        if (takeWord("true")) {
            return true;
        }
        if (takeWord("false")) {
            return false;
        }
        throw expected("true or false");
    }

    /** Returns the text of a number. */
    String number() {
        space();
        int from = at;
        if (at < end && bytes[at] == '-') {
            at++;
        }
        if (at < end && bytes[at] == '0') {
            at++;
        } else {
            digits();
        }
        if (at < end && bytes[at] == '.') {
            at++;
            digits();
        }
        if (at < end && (bytes[at] == 'e' || bytes[at] == 'E')) {
            at++;
            if (at < end && (bytes[at] == '+' || bytes[at] == '-')) {
                at++;
            }
            digits();
        }
        return new String(bytes, from, at - from, StandardCharsets.ISO_8859_1);
    }

    private void digits() {
        int from = at;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
            at++;
        }
        if (at == from) {
            throw expected("a digit");
        }
    }

    /** Returns the text of a string. */
    String string() {
        expect('"');
        int from = at;
        while (at < end && bytes[at] != '"' && bytes[at] != '\\' && (bytes[at] & 0xff) >= ' ') {
            at++;
        }
        String plain = decoded(from);
        if (at < end && bytes[at] == '"') {
            at++;
            return plain;
        }
        return withEscapes(new StringBuilder(plain));
    }

    private String withEscapes(StringBuilder text) {
        while (at < end && bytes[at] != '"') {
            if (bytes[at] == '\\') {
                at++;
                text.append(escape());
            } else if ((bytes[at] & 0xff) < ' ') {
                throw expected("no control character within a string");
            } else {
                int from = at;
                while (at < end && bytes[at] != '"' && bytes[at] != '\\' && (bytes[at] & 0xff) >= ' ') {
                    at++;
                }
                text.append(decoded(from));
            }
        }
        expect('"');
        return text.toString();
    }

    private String decoded(int from) {
        try {
            CharBuffer chars = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, at - from));
            return chars.toString();
        } catch (CharacterCodingException e) {
            throw bad(from - begin, "is not UTF-8");
        }
    }

    private char escape() {
        if (at == end) {
            throw expected("a character behind \\");
        }
        int c = bytes[at++];
        return switch (c) {
            case '"', '\\', '/' -> (char) c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> hex();
            default -> {
                at--;
                throw expected("one of \"\\/bfnrtu");
            }
        };
    }

    private char hex() {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int digit = at < end ? Character.digit(bytes[at], 16) : -1;
            if (digit < 0) {
                throw expected("four hexadecimal digits");
            }
            value = value << 4 | digit;
            at++;
        }
        return (char) value;
    }
}
