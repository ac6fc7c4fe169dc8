package io.slipstream.log.layout;

import io.slipstream.log.layout.PatternPart.Kind;
import java.util.ArrayList;
import java.util.List;

/** Reads a pattern in the words that Log4j and Logback share; what it does not know it refuses, and names it. */
final class PatternReader {
    private static final int MOST_WIDTH = 1000;

    private final String pattern;
    private final List<PatternPart> parts = new ArrayList<>();
    private final StringBuilder literal = new StringBuilder();
    private int at;

    PatternReader(String pattern) {
        this.pattern = pattern;
    }

    /**
     * Returns the pieces.
     *
     * @throws IllegalArgumentException if something is unknown; it says what and where
     */
    List<PatternPart> read() {
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            if (pattern.startsWith("${", at)) {
                throw wrong(at, "'${'", "is not looked up");
            }
            at++;
            if (c == '%') {
                readWord();
            } else if (c == '\\' && at < pattern.length() && "\\%()".indexOf(pattern.charAt(at)) >= 0) {
                literal.append(pattern.charAt(at++));
            } else {
                literal.append(c);
            }
        }
        endLiteral();
        return parts;
    }

    private void endLiteral() {
        if (!literal.isEmpty()) {
            parts.add(PatternPart.literal(literal.toString()));
            literal.setLength(0);
        }
    }

    private void readWord() {
        int from = at - 1;
        boolean isLeft = skip('-');
        int least = number(0);
        boolean isFirst = false;
        int most = Integer.MAX_VALUE;
        if (skip('.')) {
            isFirst = skip('-');
            most = number(Integer.MAX_VALUE);
        }
        if (skip('%')) {
            literal.append('%');
            return;
        }
        int begin = at;
        while (at < pattern.length() && Character.isLetter(pattern.charAt(at))) {
            at++;
        }
        String word = pattern.substring(begin, at);
        if (word.isEmpty() && pattern.startsWith("(", at)) {
            throw wrong(from, "'%('", "is a group, which is not known here");
        }
        if (word.equals("n")) {
            literal.append('\n');
            return;
        }
        PatternPart part;
        try {
            part = part(word, options());
        } catch (IllegalArgumentException e) {
            throw wrong(from, "'%" + word + "'", String.valueOf(e.getMessage()));
        }
        endLiteral();
        parts.add(part.between(isLeft ? -least : least, isFirst ? -most : most));
    }

    private boolean skip(char c) {
        boolean isThere = at < pattern.length() && pattern.charAt(at) == c;
        at += isThere ? 1 : 0;
        return isThere;
    }

    private int number(int otherwise) {
        int begin = at;
        int number = 0;
        while (at < pattern.length() && Character.isDigit(pattern.charAt(at)) && number < MOST_WIDTH) {
            number = number * 10 + pattern.charAt(at++) - '0';
        }
        return begin == at ? otherwise : number;
    }

    /** What stands in braces behind a word. */
    private List<String> options() {
        List<String> options = new ArrayList<>();
        while (at < pattern.length() && pattern.charAt(at) == '{') {
            int end = pattern.indexOf('}', at);
            if (end < 0) {
                throw new IllegalArgumentException("has a brace that does not end");
            }
            options.add(unquoted(pattern.substring(at + 1, end).strip()));
            at = end + 1;
        }
        return options;
    }

    /** Logback wants quotes around a form that has a comma. */
    private static String unquoted(String option) {
        boolean isQuoted = option.length() > 1 && option.startsWith("\"") && option.endsWith("\"");
        return isQuoted ? option.substring(1, option.length() - 1) : option;
    }

    private static PatternPart part(String word, List<String> options) {
        String first = options.isEmpty() ? "" : options.getFirst();
        return switch (word) {
            case "d", "date" -> time(options);
            case "p", "level", "le" -> plain(Kind.LEVEL, options);
            case "t", "thread", "tn", "threadName" -> plain(Kind.THREAD, options);
            case "c", "logger", "lo" -> {
                PatternPart logger = plain(Kind.LOGGER, options.size() > 1 ? options : List.of());
                yield options.isEmpty() ? logger : logger.names(LoggerNames.of(first));
            }
            case "m", "msg", "message" ->
                plain(Kind.MESSAGE, first.equals("nolookups") ? further(options, 1) : options);
            case "k", "kvp" -> plain(Kind.KEYS, options);
            case "X", "mdc", "MDC" -> first.isEmpty() ? plain(Kind.KEYS, options) : value(options);
            case "marker" -> {
                plain(Kind.VALUE, options);
                yield PatternPart.value("marker", "");
            }
            case "ex", "exception", "throwable", "xEx", "xException", "xThrowable", "wEx", "wex" ->
                switch (first) {
                    case "", "full" -> plain(Kind.TRACE, further(options, 1));
                    case "none", "0" -> plain(Kind.NO_TRACE, further(options, 1));
                    default -> throw new IllegalArgumentException("takes {full} or {none}, not {" + first + "}");
                };
            case "nopex", "nopexception" -> plain(Kind.NO_TRACE, options);
            case "" -> throw new IllegalArgumentException("has no word behind it; a percent sign is %%");
            case "F", "file", "L", "line", "M", "method", "C", "class", "l", "location", "caller" ->
                throw new IllegalArgumentException(
                        "is of the place that logs, which costs more than the message, and is not known here");
            default ->
                throw new IllegalArgumentException(
                        "is none of %d, %p, %t, %c, %m, %k, %X, %marker, %ex, %n and %%, nor a long name of one");
        };
    }

    private static List<String> further(List<String> options, int known) {
        return options.subList(Math.min(known, options.size()), options.size());
    }

    private static PatternPart plain(Kind kind, List<String> options) {
        if (!options.isEmpty()) {
            throw new IllegalArgumentException("does not know {" + options.getLast() + "}");
        }
        return PatternPart.of(kind);
    }

    private static PatternPart time(List<String> options) {
        PatternPart time = plain(Kind.TIME, further(options, 2));
        if (options.isEmpty()) {
            return time;
        }
        String form = options.getFirst();
        String zone = options.size() > 1 ? options.get(1) : "";
        int comma = form.lastIndexOf(", ");
        if (options.size() == 1 && comma > 0) {
            // Logback has the zone behind a comma.
            zone = form.substring(comma + 2).strip();
            form = unquoted(form.substring(0, comma).strip());
        }
        return time.dates(new DateText(form, zone));
    }

    private static PatternPart value(List<String> options) {
        if (options.size() > 1) {
            throw new IllegalArgumentException("takes one key, and not {" + options.get(1) + "} as well");
        }
        String[] keyAndOther = options.getFirst().split(":-", 2);
        if (keyAndOther[0].contains(",")) {
            throw new IllegalArgumentException("takes one key, or none for all, not {" + options.getFirst() + "}");
        }
        return PatternPart.value(keyAndOther[0], keyAndOther.length > 1 ? keyAndOther[1] : "");
    }

    private IllegalArgumentException wrong(int position, String what, String why) {
        return new IllegalArgumentException(
                "the pattern '" + pattern + "' at position " + position + ": " + what + " " + why);
    }
}
