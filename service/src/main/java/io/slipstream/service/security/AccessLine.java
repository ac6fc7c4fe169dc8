package io.slipstream.service.security;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import javax.security.auth.x500.X500Principal;

/** One line of an {@link AccessFile}; an {@link IllegalArgumentException} says what is wrong with it. */
record AccessLine(String credential, Identity identity) {
    private static final Set<String> SETTINGS = Set.of("may", "until", "rate", "bytes", "in-flight");

    /**
     * Returns the words of a line, none if there is only a comment. What is in quotes is one word, with all that is in
     * it; {@code \"} does not end it, and stays as it is, as subjects of certificates have it.
     */
    static Deque<String> words(String line) {
        Deque<String> words = new ArrayDeque<>();
        int at = 0;
        while (at < line.length() && line.charAt(at) != '#') {
            if (Character.isWhitespace(line.charAt(at))) {
                at++;
            } else if (line.charAt(at) == '"') {
                int end = closingQuote(line, at);
                words.add(line.substring(at + 1, end));
                at = end + 1;
                if (at < line.length() && !isBetweenWords(line.charAt(at))) {
                    throw new IllegalArgumentException("behind a closing quote comes a space: " + line.substring(at));
                }
            } else {
                int begin = at;
                while (at < line.length() && !isBetweenWords(line.charAt(at))) {
                    at++;
                }
                words.add(line.substring(begin, at));
            }
        }
        return words;
    }

    private static boolean isBetweenWords(char c) {
        return Character.isWhitespace(c) || c == '#';
    }

    private static int closingQuote(String line, int opening) {
        for (int at = opening + 1; at < line.length(); at++) {
            char c = line.charAt(at);
            if (c == '"') {
                return at;
            }
            if (c == '\\') {
                at++;
            }
        }
        throw new IllegalArgumentException("a quote is not closed: " + line.substring(opening));
    }

    /** Takes the words of a line that has some. */
    static AccessLine parse(Deque<String> words) {
        String principal = words.remove();
        String credential = credential(words);
        Rights rights = Rights.ALL;
        Instant until = Instant.MAX;
        long requests = Long.MAX_VALUE;
        long bytes = Long.MAX_VALUE;
        int inFlight = Integer.MAX_VALUE;
        while (!words.isEmpty()) {
            String word = words.remove();
            switch (word) {
                case "may" -> rights = ListedRights.parse(words);
                case "until" -> until = instant(next(words, word));
                case "rate" -> requests = number(next(words, word));
                case "bytes" -> bytes = number(next(words, word));
                case "in-flight" -> inFlight = (int) Math.min(Integer.MAX_VALUE, number(next(words, word)));
                default ->
                    throw new IllegalArgumentException("'" + word + "' is none of may, until, rate, bytes, in-flight");
            }
        }
        return new AccessLine(
                credential, new Identity(principal, rights, new ClientLimits(requests, bytes, inFlight), until));
    }

    /** Returns the credential of a token with that hash. */
    static String token(String hash) {
        return "token " + hash;
    }

    /** Returns the credential of a certificate with that subject. */
    static String certificate(X500Principal subject) {
        return "certificate " + subject.getName();
    }

    /** Takes the words of a subject that was written without quotes only to tell how to write it. */
    private static X500Principal subject(String text, Deque<String> behind) {
        String next = behind.peek();
        if (next != null && !SETTINGS.contains(next) && text.indexOf(' ') < 0) {
            StringBuilder whole = new StringBuilder(text);
            while (!behind.isEmpty() && !SETTINGS.contains(behind.peek())) {
                whole.append(' ').append(behind.remove());
            }
            throw new IllegalArgumentException("'" + next + "' is none of may, until, rate, bytes, in-flight. Put a"
                    + " subject with a space in quotes: certificate \"" + whole + '"');
        }
        try {
            return new X500Principal(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no subject of a certificate, such as CN=ticker or \"CN=ticker,O=Acme Corp\"", e);
        }
    }

    private static String credential(Deque<String> words) {
        String kind = next(words, "the name");
        return switch (kind) {
            case "token" -> {
                String hash = next(words, kind);
                if (!hash.matches("[0-9a-f]{64}")) {
                    throw new IllegalArgumentException("a token stands here as its SHA-256, 64 digits in lower case");
                }
                yield token(hash);
            }
            case "certificate" -> certificate(subject(next(words, kind), words));
            default ->
                throw new IllegalArgumentException("behind the name comes 'token' or 'certificate', not '" + kind
                        + "'. Put a name with a space in quotes");
        };
    }

    private static String next(Deque<String> words, String after) {
        String word = words.poll();
        if (word == null) {
            throw new IllegalArgumentException("something is missing behind " + after);
        }
        return word;
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("'" + text + "' is no time such as 2027-01-01T00:00:00Z", e);
        }
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is no number", e);
        }
    }
}
