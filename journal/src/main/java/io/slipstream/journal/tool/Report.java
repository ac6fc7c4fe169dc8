package io.slipstream.journal.tool;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Writes facts, one line each: as text for people, or as JSON objects for programs. */
public final class Report {
    private final PrintStream out;
    private final boolean json;

    /** Creates a report. */
    public Report(PrintStream out, boolean json) {
        this.out = out;
        this.json = json;
    }

    /** Begins a line about a thing of this kind. */
    Line line(String kind) {
        return new Line(kind);
    }

    /** Returns whether anybody can still read this. */
    boolean isBroken() {
        return out.checkError();
    }

    /** A line, whose facts are written in the order in which they are given. */
    final class Line {
        private final String kind;
        private final Map<String, Object> facts = new LinkedHashMap<>();
        private String detail = "";

        private Line(String kind) {
            this.kind = kind;
        }

        /** Adds a fact. */
        Line with(String name, Object value) {
            facts.put(name, value);
            return this;
        }

        /** Adds a longer text, which in the text form has lines of its own. */
        Line withDetail(String name, String value) {
            return withText(value).withJson(name, value);
        }

        /** Adds a fact of the JSON form alone. */
        Line withJson(String name, String value) {
            if (json) {
                facts.put(name, value);
            }
            return this;
        }

        /** Adds a longer text to the text form alone, in which it has lines of its own. */
        Line withText(String value) {
            detail = value;
            return this;
        }

        /** Writes the line. */
        void print() {
            StringBuilder text = new StringBuilder();
            if (json) {
                text.append("{\"kind\":");
                quote(text, kind);
                facts.forEach((name, value) -> {
                    text.append(',');
                    quote(text, name);
                    text.append(':');
                    if (value instanceof Number || value instanceof Boolean) {
                        text.append(value);
                    } else {
                        quote(text, value.toString());
                    }
                });
                text.append('}');
            } else {
                text.append(kind);
                facts.forEach((name, value) ->
                        text.append("  ").append(name).append(' ').append(value));
                detail.lines().forEach(line -> text.append("\n    ").append(line));
            }
            out.println(text);
        }
    }

    private static void quote(StringBuilder text, String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                default -> {
                    if (c < ' ') {
                        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }
}
