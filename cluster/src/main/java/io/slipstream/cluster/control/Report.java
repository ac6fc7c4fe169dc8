package io.slipstream.cluster.control;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a member is.
 *
 * @param member    its number
 * @param leader    the leader as far as it knows, or -1
 * @param leads     whether it is the leader itself
 * @param sequence  of the last log entry that it has applied
 * @param stateHash of its state machine there
 * @param sessions  that it remembers
 * @param logBytes  that are committed
 * @param snapshots that it has taken since it has started
 */
public record Report(
        int member,
        int leader,
        boolean leads,
        long sequence,
        long stateHash,
        int sessions,
        long logBytes,
        long snapshots) {
    private static final Pattern LINE = Pattern.compile(
            "member (\\d+) leader (-?\\d+) leads (\\w+) sequence (\\d+) hash ([0-9a-f]{16}) sessions (\\d+)"
                    + " log (-?\\d+) snapshots (-?\\d+)");

    String line() {
        return String.format(
                Locale.ROOT,
                "member %d leader %d leads %s sequence %d hash %016x sessions %d log %d snapshots %d",
                member,
                leader,
                leads,
                sequence,
                stateHash,
                sessions,
                logBytes,
                snapshots);
    }

    static Report of(String line) {
        Matcher fields = LINE.matcher(line);
        if (!fields.matches()) {
            throw new IllegalArgumentException("a member does not say '" + line + "' of itself");
        }
        return new Report(
                Integer.parseInt(fields.group(1)),
                Integer.parseInt(fields.group(2)),
                Boolean.parseBoolean(fields.group(3)),
                Long.parseLong(fields.group(4)),
                Long.parseUnsignedLong(fields.group(5), 16),
                Integer.parseInt(fields.group(6)),
                Long.parseLong(fields.group(7)),
                Long.parseLong(fields.group(8)));
    }
}
