package io.slipstream.http.monitor;

import io.slipstream.http.config.MemberView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The newest alerts since the gateway began, each with its begin and end. One that comes back within five seconds has
 * not ended. One thread looks, any thread reads.
 */
final class Alerts {
    static final int MOST = 200;

    private static final long QUIET_MILLIS = 5_000;
    private static final double CROWDED = 0.7;

    /** Newest first. */
    private final Deque<Alert> all = new ArrayDeque<>();

    private final Map<String, Alert> open = new LinkedHashMap<>();
    private @Nullable Signs before;

    /** How much an alert matters. */
    enum Severity {
        INFO,
        WARNING,
        CRITICAL
    }

    private static final class Alert {
        final long begin;
        final Severity severity;
        final String text;
        long lastSeen;
        boolean isOver;

        Alert(long millis, Severity severity, String text) {
            this.begin = millis;
            this.severity = severity;
            this.text = text;
            this.lastSeen = millis;
        }

        Map<String, Object> describe() {
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("begin", begin);
            if (isOver) {
                members.put("end", lastSeen);
            }
            members.put("severity", severity.name().toLowerCase(Locale.ROOT));
            members.put("text", text);
            return members;
        }
    }

    /** Notes what is wrong, and what is not any more. */
    synchronized void look(Signs now) {
        raise(!now.heard(), "silent", Severity.INFO, now, "The service has not answered yet.");
        raise(
                now.heard() && !now.alive(),
                "down",
                Severity.CRITICAL,
                now,
                "The service does not answer" + (now.error().isEmpty() ? "." : ": " + now.error()));
        raise(now.logFull(), "log", Severity.CRITICAL, now, "The device of the log is full; commands are refused.");
        crowded("input ring", now.fill("input ring"), "The input ring is nearly full.", now);
        crowded("output ring", now.fill("output ring"), "The output ring is nearly full.", now);
        // One command is no crowd, however long it takes.
        crowded(
                "commands",
                now.counter("waiting commands/depth") > 1 ? now.fill("waiting commands") : 0,
                "Nearly as many commands wait as may.",
                now);
        crowded("http", now.waiting(), "Nearly as many HTTP requests wait for the service as may.", now);
        lookAtMembers(now);
        Signs last = before;
        if (last != null) {
            stoodStill(last.millis(), now.millis());
            raise(
                    rose("commands/refused", now, last),
                    "refused",
                    Severity.WARNING,
                    now,
                    "Commands are refused, since they would wait too long.");
            raise(rose("commands/denied", now, last), "denied", Severity.WARNING, now, "A client was denied.");
            raise(
                    last.recovery() != 0 && now.recovery() != last.recovery(),
                    "start",
                    Severity.INFO,
                    now,
                    "The service was started anew.");
            raise(
                    now.sequence() < last.sequence(),
                    "lost",
                    Severity.CRITICAL,
                    now,
                    "The service has lost log entries, or another one answers.");
        }
        before = now;
        open.values().removeIf(alert -> {
            alert.isOver = now.millis() - alert.lastSeen >= QUIET_MILLIS;
            return alert.isOver;
        });
    }

    private void lookAtMembers(Signs now) {
        List<MemberView> heard =
                now.members().stream().filter(MemberView::isHeard).toList();
        for (MemberView member : now.members()) {
            raise(
                    !member.isHeard(),
                    "member " + member.id(),
                    Severity.WARNING,
                    now,
                    "Member " + member.id() + " at " + member.address() + " does not answer.");
            raise(
                    member.isHeard() && !member.ready(),
                    "not ready " + member.id(),
                    Severity.WARNING,
                    now,
                    "Member " + member.id() + " has not joined, has not caught up, or does not reach the majority.");
            for (MemberView other : heard) {
                raise(
                        member.isHeard()
                                && other.id() < member.id()
                                && other.sequence() == member.sequence()
                                && other.stateHash() != member.stateHash(),
                        "state " + other.id() + " " + member.id(),
                        Severity.CRITICAL,
                        now,
                        "Members " + other.id() + " and " + member.id()
                                + " have different states after the same entry.");
            }
        }
        raise(
                !now.members().isEmpty() && heard.stream().noneMatch(MemberView::leads),
                "leader",
                Severity.CRITICAL,
                now,
                "No member that answers leads.");
    }

    /** Notes that nobody has looked for long: who looks four times a second was stopped meanwhile, with what it saw. */
    private void stoodStill(long from, long to) {
        if (to - from >= QUIET_MILLIS) {
            Alert still = new Alert(
                    from,
                    Severity.WARNING,
                    "Nothing was seen for " + (to - from) / 1_000
                            + " s: the process or its machine stood still, or the clock was set.");
            still.lastSeen = to;
            still.isOver = true;
            add(still);
        }
    }

    private static boolean rose(String counter, Signs now, Signs last) {
        return now.counter(counter) > last.counter(counter);
    }

    private void crowded(String key, double part, String text, Signs now) {
        raise(part >= CROWDED, key, Severity.WARNING, now, text);
    }

    private void raise(boolean isWrong, String key, Severity severity, Signs now, String text) {
        if (!isWrong) {
            return;
        }
        Alert present = open.get(key);
        if (present == null) {
            Alert alert = new Alert(now.millis(), severity, text);
            open.put(key, alert);
            add(alert);
        } else {
            present.lastSeen = now.millis();
        }
    }

    private void add(Alert alert) {
        all.addFirst(alert);
        if (all.size() > MOST) {
            all.removeLast();
        }
    }

    /** Returns the alerts for JSON, the newest first. Without an end they last. */
    synchronized List<Object> describe() {
        List<Object> described = new ArrayList<>();
        all.forEach(alert -> described.add(alert.describe()));
        return described;
    }
}
