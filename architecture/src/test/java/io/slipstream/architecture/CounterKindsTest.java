package io.slipstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.counters.CounterType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Each counter of the product is listed here as a total, whose rate means something, or as a level. Whoever adds one
 * says here which of them it is, and the type that it was given agrees.
 */
class CounterKindsTest {
    /** The label, or what makes it, stands behind the type. */
    private static final Pattern ADDED =
            Pattern.compile("CounterType\\.([A-Z_]+),\\s*(\"[^\"]*\"(?: \\+ \\w+)?|[\\w.]+(?:\\(\\w+\\))?)");

    private static final Pattern NAMED = Pattern.compile("CounterType\\.[A-Z]");

    /** What only asks for the type of a counter, or makes one for a test. */
    private static final List<String> ASKING = List.of(
            "cli/src/main/java/io/slipstream/cli/CountersView.java",
            "jcstress/src/main/java/io/slipstream/core/counters/CounterRaces.java");

    private static final String COUNTERS = """
        total ExecutorCounters: "completed"
        total ExecutorCounters: "failed"
        total ExecutorCounters: "rejected"
        level ExecutorCounters: "capacity of keys"
        level ExecutorCounters: "capacity of timers"
        level ExecutorCounters: "capacity"
        level ExecutorCounters: "depth of keys"
        level ExecutorCounters: "depth"
        level ExecutorCounters: "due timers"
        level ExecutorCounters: "longest run of a task"
        level ExecutorCounters: "longest wait of a task"
        level ExecutorCounters: "mean run of a task"
        level ExecutorCounters: "mean wait of a task"
        level ExecutorCounters: "timers"
        level GraphCounters: "lag of " + name
        level GraphCounters: "position of " + name
        total MemberCounters: "changes of the leader"
        total MemberCounters: "elections"
        total MemberCounters: "snapshots"
        level MemberCounters: "acts as version"
        level MemberCounters: "age of the last snapshot, s"
        level MemberCounters: "applied entry"
        level MemberCounters: "bytes of log not applied yet"
        level MemberCounters: "bytes of log since the last one"
        level MemberCounters: "clock ahead, ms"
        level MemberCounters: "committed bytes of log"
        level MemberCounters: "in one entry, ms"
        level MemberCounters: "is ready"
        level MemberCounters: "knows version"
        level MemberCounters: "leader"
        level MemberCounters: "leads"
        level MemberCounters: "lets clients in"
        level MemberCounters: "term"
        total PushCounters: "alerts"
        total PushCounters: "bytes sent"
        total PushCounters: "connections"
        level PushCounters: "acknowledged record"
        level PushCounters: "connected"
        level PushCounters: "records behind that raise the alert"
        level PushCounters: "records the backup has not acknowledged"
        total ReplicatedService: "accepted"
        total ReplicatedService: "denied"
        total ReplicatedService: "logins"
        total ReplicatedService: "processed"
        total ReplicatedService: "refused"
        total RingCounters: "dropped"
        total RingCounters: "refused"
        level RingCounters: "capacity"
        level RingCounters: "claimed"
        level RingCounters: "depth"
        level RingCounters: "lag of " + name
        total ServiceCounters: "accepted"
        total ServiceCounters: "begun"
        total ServiceCounters: "bytes"
        total ServiceCounters: "commits"
        total ServiceCounters: "denied"
        total ServiceCounters: "ended"
        total ServiceCounters: "failed"
        total ServiceCounters: "logins"
        total ServiceCounters: "processed"
        total ServiceCounters: "refused since the log was full"
        total ServiceCounters: "refused"
        total ServiceCounters: "shed"
        total ServiceCounters: CommitTimes.SUM_LABEL
        total ServiceCounters: CommitTimes.label(group)
        level ServiceCounters: "bytes of state"
        level ServiceCounters: "capacity"
        level ServiceCounters: "depth"
        level ServiceCounters: "last entry in it"
        level ServiceCounters: "last took"
        level ServiceCounters: "limit"
        level ServiceCounters: "log full"
        level ServiceCounters: "longest commit"
        level ServiceCounters: "open"
        level ServiceCounters: "pressure in percent, at least"
        level SiteCounters: "applied record"
        level SiteCounters: "primary is connected"
        level SiteCounters: "promoted"
        level SiteCounters: "received record"
        level SiteCounters: "records behind the primary"
        level SiteCounters: "term"
        total WorkerCounters: "failures"
        total WorkerCounters: "rounds with work"
        total WorkerCounters: "time in them"
        level WorkerCounters: "longest stall"
        """;

    @Test
    void eachCounterIsATotalOrALevelAsItIsListed() {
        List<String> found = new ArrayList<>();
        for (String module : SourceTree.modules()) {
            for (Path file : SourceTree.javaFiles(module + "/src/main")) {
                found.addAll(counters(file));
            }
        }
        assertThat(found)
                .as("say here what it is, total or level")
                .containsExactlyInAnyOrderElementsOf(COUNTERS.lines().toList());
    }

    private static List<String> counters(Path file) {
        List<String> found = new ArrayList<>();
        if (!ASKING.contains(SourceTree.name(file))) {
            String text = SourceTree.read(file);
            Matcher added = ADDED.matcher(text);
            while (added.find()) {
                String kind = CounterType.valueOf(added.group(1)).isTotal() ? "total" : "level";
                found.add(kind + " " + owner(file) + ": " + added.group(2));
            }
            assertThat(found).as("each type in %s stands before a label", file).hasSize((int)
                    NAMED.matcher(text).results().count());
        }
        return found;
    }

    private static String owner(Path file) {
        String name = file.getFileName().toString();
        return name.substring(0, name.length() - ".java".length());
    }
}
