package io.slipstream.cli.sim;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Finds the replies in what a server of RESP2 says. */
final class RespReplies {
    private static final int INCOMPLETE = -1;

    private byte[] bytes = new byte[0];

    void add(ByteBuffer more) {
        int had = bytes.length;
        bytes = Arrays.copyOf(bytes, had + more.remaining());
        more.get(bytes, had, more.remaining());
    }

    /** Forgets what is not complete. */
    void clear() {
        bytes = new byte[0];
    }

    /** Returns the next reply as it came, or null if it is not complete. */
    @Nullable
    String next() {
        int end = end(0);
        if (end == INCOMPLETE) {
            return null;
        }
        String reply = new String(bytes, 0, end, StandardCharsets.UTF_8);
        bytes = Arrays.copyOfRange(bytes, end, bytes.length);
        return reply;
    }

    /** Returns where the reply ends that begins there. */
    private int end(int begin) {
        int lineEnd = begin;
        while (lineEnd < bytes.length && bytes[lineEnd] != '\n') {
            lineEnd++;
        }
        if (lineEnd == bytes.length) {
            return INCOMPLETE;
        }
        int next = lineEnd + 1;
        switch (bytes[begin]) {
            case '+', '-', ':' -> {
                return next;
            }
            case '$' -> {
                int length = number(begin + 1, lineEnd);
                int end = length < 0 ? next : next + length + 2;
                return end > bytes.length ? INCOMPLETE : end;
            }
            case '*' -> {
                for (int left = number(begin + 1, lineEnd); left > 0 && next != INCOMPLETE; left--) {
                    next = next < bytes.length ? end(next) : INCOMPLETE;
                }
                return next;
            }
            default ->
                throw new IllegalStateException("no reply of RESP2 begins with the byte " + bytes[begin] + ": "
                        + new String(bytes, begin, lineEnd - begin, StandardCharsets.UTF_8));
        }
    }

    /** The line ends with a carriage return. */
    private int number(int begin, int lineEnd) {
        return Integer.parseInt(new String(bytes, begin, lineEnd - 1 - begin, StandardCharsets.US_ASCII));
    }
}
