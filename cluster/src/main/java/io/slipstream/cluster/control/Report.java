package io.slipstream.cluster.control;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a member is.
 *
 * @param member    its number
 * @param leader    the leader as far as it knows, or -1
 * @param leads     whether it is the leader itself
 * @param ready     whether it has joined the cluster, has what it has missed, and reaches the majority
 * @param sequence  of the last log entry that it has applied
 * @param stateHash of its state machine there
 * @param sessions  that it remembers
 * @param logBytes  that are committed
 * @param snapshots that it has taken since it has started
 * @param skips     the entries that it passes over because an operator has said so, such as "17,41207"; "-" if none
 * @param version   of the state machine that the log has come to, and that it acts as; -1 before the first entry
 * @param knows     the version of the state machine that it runs, and could act as; -1 if it does not say
 */
public record Report(
        int member,
        int leader,
        boolean leads,
        boolean ready,
        long sequence,
        long stateHash,
        int sessions,
        long logBytes,
        long snapshots,
        String skips,
        int version,
        int knows) {
    private static final Pattern LINE = Pattern.compile(
            "member (\\d+) leader (-?\\d+) leads (\\w+) ready (\\w+) sequence (\\d+) hash ([0-9a-f]{16}) sessions"
                    + " (\\d+) log (-?\\d+) snapshots (-?\\d+) skips (\\S+)"
                    // Members of an earlier version say less, and those of a later one may say more.
                    + "(?: version (-?\\d+) knows (\\d+))?(?: .*)?");

    String line() {
        return String.format(
                Locale.ROOT,
                "member %d leader %d leads %s ready %s sequence %d hash %016x sessions %d log %d snapshots %d skips %s"
                        + " version %d knows %d",
                member,
                leader,
                leads,
                ready,
                sequence,
                stateHash,
                sessions,
                logBytes,
                snapshots,
                skips,
                version,
                knows);
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
                Boolean.parseBoolean(fields.group(4)),
                Long.parseLong(fields.group(5)),
                Long.parseUnsignedLong(fields.group(6), 16),
                Integer.parseInt(fields.group(7)),
                Long.parseLong(fields.group(8)),
                Long.parseLong(fields.group(9)),
                fields.group(10),
                number(fields.group(11)),
                number(fields.group(12)));
    }

    private static int number(@Nullable String field) {
        return field == null ? -1 : Integer.parseInt(field);
    }
}
