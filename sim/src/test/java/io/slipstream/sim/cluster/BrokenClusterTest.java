package io.slipstream.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.MutantTable;
import io.slipstream.testkit.TwinLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster with a few words changed, each time in one place; the simulation must find what that breaks. */
@Tag("long")
class BrokenClusterTest {
    private static final String LOG = "cluster/src/main/java/io/slipstream/cluster/log/";

    @TempDir
    private Path folder;

    @Test
    void findsABatchThatIsAppliedWheneverItComes() throws Exception {
        find(
                "applies a batch whenever it comes",
                "Origins.java",
                "if (ofOrigin != origin[member] || start != next[member]) {",
                "if (ofOrigin != origin[member]) {");
    }

    @Test
    void findsABatchThatIsSentOnce() throws Exception {
        find(
                "sends a batch once",
                "Submitter.java",
                "            cursor = back;\n            progressNanos",
                "            progressNanos",
                "cursor = acknowledged;",
                "cursor = Math.max(cursor, acknowledged);");
    }

    @Test
    void findsASnapshotThatLacksWhatWasAppliedOfEachGateway() throws Exception {
        find(
                "loads no origins",
                "Replicated.java",
                "        origins.load(input);",
                "        new Origins().load(input);");
    }

    @Test
    void findsALogWhoseTimeGoesBack() throws Exception {
        find(
                "takes the leader's time as it is",
                "Replicated.java",
                "entryNanos = Math.max(logic.lastTimeNanos(), timeNanos);",
                "entryNanos = timeNanos;");
    }

    @Test
    void findsAMemberThatNeverTicks() throws Exception {
        find(
                "lets nobody tick",
                "ReplicatedService.java",
                "entries.ticksWhile(replicated::isLeader);",
                "entries.ticksWhile(() -> false);");
    }

    @Test
    void findsAStartThatChangesTheVersion() throws Exception {
        find(
                "goes over to a version that others do not know",
                "VersionSwitch.java",
                "(start.version() > present && !start.has(Start.ANNOUNCES))",
                "start.version() > present");
    }

    @Test
    void findsAMemberThatForgetsWhoWasConnectedToAnother() throws Exception {
        find(
                "keeps the connections of a life that has ended",
                "Replicated.java",
                "logic.detachAll(connection -> connection >>> MEMBER_SHIFT == member + 1);",
                "logic.detachAll(connection -> false);");
    }

    @Test
    void findsAStateThatOneMemberAloneHas() throws Exception {
        find(
                "applies own entries with another time",
                "Replicated.java",
                "Message.timeNanos(memory, offset, entryNanos);",
                "Message.timeNanos(memory, offset, mine ? entryNanos + 1 : entryNanos);");
    }

    private void find(String twin, String source, String... replacements) throws Exception {
        Class<?> lives =
                Class.forName(TwinClusters.class.getName(), true, TwinLoader.of(folder, LOG + source, replacements));
        Object found = lives.getMethod("firstFinding", int.class)
                .invoke(null, MutantTable.in("docs/simulation.md").seeds(twin));
        System.out.println("twin that " + twin + ": " + found);
        assertThat(found).asString().startsWith("seed ");
    }
}
