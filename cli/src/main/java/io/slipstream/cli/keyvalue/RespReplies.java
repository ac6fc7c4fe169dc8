package io.slipstream.cli.keyvalue;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What a store answers in RESP2, one answer after the other. */
final class RespReplies {
    private final InputStream in;

    RespReplies(InputStream in) {
        this.in = in;
    }

    /**
     * Returns the next answer, of an array the last in it: an error with its minus, all else as a text, and nothing as
     * an empty one. Returns null at the end of the stream.
     */
    @Nullable
    String next() throws IOException {
        String line = line();
        return line == null ? null : rest(line);
    }

    private String rest(String line) throws IOException {
        String text = line.substring(1);
        switch (line.charAt(0)) {
            case '-' -> {
                return line;
            }
            case '$' -> {
                int length = Integer.parseInt(text);
                String value = length < 0 ? "" : new String(in.readNBytes(length), StandardCharsets.UTF_8);
                in.skipNBytes(length < 0 ? 0 : 2);
                return value;
            }
            case '*' -> {
                String last = "";
                for (int left = Integer.parseInt(text); left > 0; left--) {
                    String next = next();
                    if (next == null) {
                        throw new EOFException();
                    }
                    last = next;
                }
                return last;
            }
            case '+', ':' -> {
                return text;
            }
            default -> throw new IOException("this is no answer of a store: " + line);
        }
    }

    private @Nullable String line() throws IOException {
        StringBuilder line = new StringBuilder();
        int b = in.read();
        for (; b >= 0 && b != '\n'; b = in.read()) {
            if (b != '\r') {
                line.append((char) b);
            }
        }
        return b < 0 || line.isEmpty() ? null : line.toString();
    }
}
