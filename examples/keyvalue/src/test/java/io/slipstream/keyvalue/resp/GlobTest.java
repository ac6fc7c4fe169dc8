package io.slipstream.keyvalue.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GlobTest {
    private static boolean matches(String pattern, String text) {
        return new Glob(pattern.getBytes(StandardCharsets.ISO_8859_1))
                .matches(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void matchesAsRedisDoes() {
        assertThat(matches("", "")).isTrue();
        assertThat(matches("", "a")).isFalse();
        assertThat(matches("*", "")).isTrue();
        assertThat(matches("h?llo", "hello")).isTrue();
        assertThat(matches("h[ae]llo", "hallo")).isTrue();
        assertThat(matches("h[^e]llo", "hello")).isFalse();
        assertThat(matches("h[c-a]llo", "hbllo")).isTrue();
        assertThat(matches("h\\*llo", "h*llo")).isTrue();
        assertThat(matches("h\\*llo", "hello")).isFalse();
        assertThat(matches("[\\]]", "]")).isTrue();
        assertThat(matches("[a", "a")).isTrue();
        assertThat(matches("a\\", "a\\")).isTrue();
        assertThat(matches("\u00e9*", "\u00e9t\u00e9")).isTrue();
    }

    @Test
    void matchesWhatARegularExpressionDoes() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder pattern = new StringBuilder();
            StringBuilder regex = new StringBuilder();
            int length = i % 100 == 0 ? 64 + random.nextInt(100) : random.nextInt(8);
            for (int at = 0; at < length; at++) {
                switch (random.nextInt(5)) {
                    case 0 -> {
                        pattern.append('*');
                        regex.append(".*");
                    }
                    case 1 -> {
                        pattern.append('?');
                        regex.append('.');
                    }
                    case 2 -> {
                        pattern.append("[^a]");
                        regex.append("[^a]");
                    }
                    default -> {
                        char letter = (char) ('a' + random.nextInt(2));
                        pattern.append(letter);
                        regex.append(letter);
                    }
                }
            }
            String text = random.ints(random.nextInt(length + 3), 'a', 'd')
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            // Stars in a row are one to a regular expression that backtracks.
            String collapsed = regex.toString().replaceAll("(\\.\\*)+", ".*");
            if (length < 20) {
                assertThat(matches(pattern.toString(), text))
                        .as("%s and %s", pattern, text)
                        .isEqualTo(Pattern.matches(collapsed, text));
            } else {
                String ahead = "x".repeat(70);
                assertThat(matches(ahead + pattern + "*", ahead + text + "b".repeat(300)))
                        .as("%s and %s", pattern, text)
                        .isEqualTo(isFollowed(pattern + "*", text + "b".repeat(300)));
            }
        }
    }

    /** Follows a long pattern state by state. */
    private static boolean isFollowed(String pattern, String text) {
        String[] tokens = pattern.replace("[^a]", "!").split("");
        boolean[] now = new boolean[tokens.length + 1];
        now[0] = true;
        skipStars(tokens, now);
        for (char c : text.toCharArray()) {
            boolean[] next = new boolean[now.length];
            for (int i = 0; i < tokens.length; i++) {
                if (now[i]) {
                    switch (tokens[i]) {
                        case "*" -> next[i] = true;
                        case "?" -> next[i + 1] = true;
                        case "!" -> next[i + 1] |= c != 'a';
                        default -> next[i + 1] |= tokens[i].charAt(0) == c;
                    }
                }
            }
            skipStars(tokens, next);
            now = next;
        }
        return now[tokens.length];
    }

    private static void skipStars(String[] tokens, boolean[] states) {
        for (int i = 0; i < tokens.length; i++) {
            states[i + 1] |= states[i] && tokens[i].equals("*");
        }
    }
}
