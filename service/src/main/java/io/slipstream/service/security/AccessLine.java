package io.slipstream.service.security;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** One line of an {@link AccessFile}; an {@link IllegalArgumentException} says what is wrong with it. */
record AccessLine(String credential, Identity identity) {
    static AccessLine parse(String line) {
        Deque<String> words = new ArrayDeque<>(List.of(line.split("\\s+")));
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

    private static String credential(Deque<String> words) {
        String kind = next(words, "the name");
        return switch (kind) {
            case "token" -> {
                String hash = next(words, kind);
                if (!hash.matches("[0-9a-f]{64}")) {
                    throw new IllegalArgumentException("a token stands here as its SHA-256, 64 digits in lower case");
                }
                yield "token " + hash;
            }
            case "certificate" -> "certificate " + next(words, kind);
            default ->
                throw new IllegalArgumentException(
                        "behind the name comes 'token' or 'certificate', not '" + kind + "'");
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
