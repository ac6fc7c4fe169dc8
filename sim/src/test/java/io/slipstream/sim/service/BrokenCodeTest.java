package io.slipstream.sim.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.MutantTable;
import io.slipstream.testkit.TwinLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service itself with a few words changed, each time in one place; the simulation must find what that breaks. */
class BrokenCodeTest {
    private static final String SERVICE = "service/src/main/java/io/slipstream/service/";
    private static final String JOURNAL = "journal/src/main/java/io/slipstream/journal/";

    @TempDir
    private Path folder;

    @Test
    void findsAServiceThatForgetsItsSessionsAtARestart() throws Exception {
        find(
                "forgets a session on restart",
                SERVICE + "logic/Sessions.java",
                "attached(ended).forEach(session -> detach(session, session.connection));",
                "attached(ended).forEach(this::close);");
    }

    @Test
    void findsAResendThatIsAppliedAgain() throws Exception {
        find(
                "applies a resend twice",
                SERVICE + "logic/ReplayWindow.java",
                "return correlation <= floor || isSet(correlation) ? Seen.APPLIED : Seen.NEW;",
                "return Seen.NEW;",
                "if (correlation == newest + 1 && floor == newest) {",
                "if (correlation <= floor) {\n            return;\n        }\n"
                        + "        if (correlation == newest + 1 && floor == newest) {");
    }

    @Test
    void findsASnapshotWithoutSessions() throws Exception {
        find(
                "saves no sessions",
                SERVICE + "logic/Sessions.java",
                "to.writeInt(byId.count());\n        attached.forEach(session -> session.save(to, withKept));",
                "to.writeInt(0);\n        if (limit > 0) {\n            return;\n        }");
    }

    @Test
    void findsAFeedThatSkipsAnItemAfterAReconnect() throws Exception {
        find(
                "skips an item after a reconnect",
                SERVICE + "logic/Outputs.java",
                "kept.firstAfter(seenSequence, seenIndex);",
                "kept.firstAfter(seenSequence + 3, 1);");
    }

    @Test
    void findsATimerThatFiresAgainAfterARecovery() throws Exception {
        find(
                "fires a timer twice after a recovery",
                SERVICE + "logic/TimerQueue.java",
                "private long nextOrder;",
                "private long nextOrder;\n    private long firedId;\n    private long firedAt;",
                "long id = ids[0];\n        remove(find(id));",
                "long id = ids[0];\n        firedId = id;\n        firedAt = deadlines[0];\n        remove(find(id));",
                "to.writeInt(count);",
                "to.writeInt(count + (firedAt > 0 ? 1 : 0));\n        if (firedAt > 0) {\n"
                        + "            to.writeLong(firedId);\n            to.writeLong(firedAt);\n        }");
    }

    @Test
    void findsAnAnswerThatGoesToAnotherClient() throws Exception {
        find(
                "answers another client",
                SERVICE + "gateway/Bindings.java",
                "private final LongMap<Connection> bySession = new LongMap<>();",
                "private final LongMap<Connection> bySession = new LongMap<>();\n"
                        + "    private @Nullable Connection last;\n    private int asked;",
                "connection.session = session;",
                "connection.session = session;\n        last = connection;",
                "return session == 0 ? null : bySession.get(session);",
                "return session == 0 ? null : ++asked % 10 == 0 && last != null ? last : bySession.get(session);");
    }

    @Test
    void findsGatewaysThatNumberTheirConnectionsAlike() throws Exception {
        find(
                "gives two connections one number",
                SERVICE + "gateway/Bindings.java",
                "lastNumber += gateways;",
                "lastNumber++;");
    }

    @Test
    void findsABufferThatIsLostWithEachConnection() throws Exception {
        find(
                "loses a buffer with each connection",
                SERVICE + "gateway/Connection.java",
                "buffers.release(input);\n            input = null;",
                "input = null;");
    }

    @Test
    void findsALogThatIsTrimmedByOneSegmentTooMuch() throws Exception {
        find(
                "trims one segment too much",
                JOURNAL + "Trim.java",
                "skips.removeBefore(storage, catalog.oldest().baseSequence());",
                "if (catalog.second() != null) {\n                appender.forceBeginning(catalog.second());\n"
                        + "                Retention.remove(storage, appender.supply(), catalog.removeOldest());\n"
                        + "            }\n"
                        + "            skips.removeBefore(storage, catalog.oldest().baseSequence());");
    }

    @Test
    void findsAServiceThatLogsMoreThanItCanAnswerInTime() throws Exception {
        find(
                "accepts whatever comes",
                SERVICE + "log/Pace.java",
                "boolean isEnough = ahead.nanos() > 0 && (!fills || ahead.nanos() + nanos > horizonNanos);",
                "boolean isEnough = nanos < 0 && !fills;");
    }

    @Test
    void findsAWatchdogThatTellsNothing() throws Exception {
        find(
                "tells of no command that loops",
                SERVICE + "Watchdog.java",
                "nextNanos = 2 * (now - sinceNanos);\n            listener.accept(present(now));",
                "nextNanos = 2 * (now - sinceNanos);");
    }

    @Test
    void findsAReplayThatAppliesWhatIsToBeSkipped() throws Exception {
        find(
                "applies what is to be skipped",
                SERVICE + "snapshot/Recovery.java",
                "if (skips.contains(sequence)) {",
                "if (skips.contains(-sequence)) {");
    }

    @Test
    void findsADeadClientThatKeepsItsConnection() throws Exception {
        find(
                "keeps the connections of the dead",
                SERVICE + "gateway/Connections.java",
                "|| connection.isSilent(nowNanos, Hello.SILENCE_NANOS)",
                "");
    }

    @Test
    void findsAClientThatGivesNoSignOfLife() throws Exception {
        find(
                "closes the connections of the living",
                SERVICE + "gateway/Connection.java",
                "heardNanos = nowNanos;\n    }\n\n    /**\n     * Returns whether a client that has promised",
                "}\n\n    /**\n     * Returns whether a client that has promised");
    }

    @Test
    void findsAClockThatIsFollowedWhereverItLeaps() throws Exception {
        find(
                "follows each leap of the clock",
                SERVICE + "host/SteadyHost.java",
                "boolean leapt = clock - steady > maxLeapNanos;",
                "boolean leapt = clock - steady > Long.MAX_VALUE - maxLeapNanos;");
    }

    @Test
    void findsASnapshotThatIsAheadOfALogThatIsNotForced() throws Exception {
        findIn(
                "firstFindingOfPowerCuts",
                "saves what the log may lose",
                JOURNAL + "Snapshots.java",
                "journal.forceThrough(sequence);",
                "");
    }

    @Test
    void findsAFullSegmentThatIsNotForcedBeforeTheNextOne() throws Exception {
        findIn(
                "firstFindingOfLongLog",
                "does not force a full segment",
                JOURNAL + "Appender.java",
                "write(sync);\n        writtenBefore",
                "write(false);\n        writtenBefore");
    }

    @Test
    void findsAMappedSegmentThatIsNotForced() throws Exception {
        findIn(
                "firstFindingOfPowerCuts",
                "does not force what is mapped",
                JOURNAL + "segment/MappedWriter.java",
                "file.forceMapped(memory);",
                "");
    }

    @Test
    void findsASessionThatEndsWithoutItsMachine() throws Exception {
        find(
                "ends a session in silence",
                SERVICE + "logic/SessionEntries.java",
                "outputs.reply(memory, offset, 0);\n        close(session, memory, offset);",
                "outputs.reply(memory, offset, 0);\n        sessions.close(session);");
    }

    @Test
    void findsASessionThatOutlivesItsEnd() throws Exception {
        find(
                "answers the end of a session and keeps it",
                SERVICE + "logic/SessionEntries.java",
                "outputs.reply(memory, offset, 0);\n        close(session, memory, offset);",
                "outputs.reply(memory, offset, 0);");
    }

    @Test
    void findsASnapshotThatLacksReplies() throws Exception {
        find(
                "keeps no replies in a snapshot",
                SERVICE + "logic/Session.java",
                "session.outbox.load(from);",
                "new Outbox(1 << 20).load(from);");
    }

    /** A service that answers from memory, at the level NONE, has entries which its log has not. */
    @Test
    void findsASnapshotThatDoesNotWaitForItsLog() throws Exception {
        find(
                "saves what its log does not have yet",
                SERVICE + "snapshot/Snapshotter.java",
                "present.sequence <= journal.writtenSequence()",
                "present.sequence >= 0");
    }

    /** No client sees that, until one day the session of another one is forgotten for it. */
    @Test
    void findsASnapshotOfSessionsWithoutTheirTime() throws Exception {
        find(
                "forgets when a session was last active",
                SERVICE + "logic/Session.java",
                "session.lastActive = from.readLong();",
                "from.readLong();");
    }

    @Test
    void findsAJournalThatBelievesWhatItReads() throws Exception {
        findIn(
                "firstFindingOfRot",
                "believes what it reads",
                JOURNAL + "segment/SegmentScan.java",
                "if (offset < provenEnd || seal.checksum(window.buffer(), window.at(offset), length) == checksum) {",
                "if (length > 0) {",
                "if (offset >= provenEnd && seal.checksum(window.buffer(), window.at(offset), length) != checksum) {",
                "if (length < 0) {");
    }

    @Test
    void findsARejectionForAnotherReason() throws Exception {
        find(
                "rejects for another reason",
                SERVICE + "logic/Outputs.java",
                "fail(FailureCode.REJECTED, reason, mode == Mode.COMMAND);",
                "fail(FailureCode.REJECTED, \"no\", mode == Mode.COMMAND);");
    }

    @Test
    void findsAGatewayThatForgetsAClientWhileItGoesThroughOthers() throws Exception {
        findIn(
                "firstFindingOfRareWays",
                "forgets a client while it goes through others",
                SERVICE + "gateway/Connections.java",
                "letGo.add(connection);",
                "forget(connection);");
    }

    @Test
    void findsAGatewayThatLetsVisitorsSendCommands() throws Exception {
        find(
                "lets everybody send commands",
                SERVICE + "gateway/Admission.java",
                "|| identity.rights() == Rights.ALL",
                "|| identity.rights() != null");
    }

    @Test
    void findsASessionThatSomebodyElseResumes() throws Exception {
        find(
                "lets somebody else resume a session",
                SERVICE + "logic/SessionEntries.java",
                "} else if (!session.principal.equals(principal)) {",
                "} else if (session.principal == null) {");
    }

    @Test
    void findsAFormerVersionThatTakesALogOfTheNextOne() throws Exception {
        findIn(
                "firstFindingOfUpgrades",
                "takes a log of the next version",
                SERVICE + "logic/Logic.java",
                "if (start.version() > machine.version()) {",
                "if (start.version() < 0) {",
                "if (writer > machine.version()) {",
                "if (writer < 0) {");
    }

    @Test
    void findsAClientThatTellsOfAFailureWhatItDoesNotKnow() throws Exception {
        find(
                "tells that a command has failed which was sent",
                SERVICE + "client/ClientLink.java",
                "completions.failBefore(sentTo, lost);",
                "");
    }

    @Test
    void findsASubscriberThatReadsSlowlyAndGetsNoMore() throws Exception {
        findIn(
                "firstFindingOfSlowReader",
                "forgets a slow subscriber",
                SERVICE + "gateway/Laggards.java",
                "behind.computeIfAbsent(connection, _ -> new LinkedHashMap<>()).put(topic, place) == null",
                "new LinkedHashMap<Long, Place>().put(topic, place) != null");
    }

    @Test
    void findsAnEarlierConnectionThatIsHeard() throws Exception {
        findIn(
                "firstFindingOfStorms",
                "hears what an earlier connection has sent",
                SERVICE + "logic/Sessions.java",
                "return tells && session.resumptions != Message.resumption(memory, offset) && !isOfGateway(memory,"
                        + " offset);",
                "return false;");
    }

    @Test
    void findsAnEarlierConnectionThatTakesTheSession() throws Exception {
        findIn(
                "firstFindingOfStorms",
                "lets an earlier connection take the session",
                SERVICE + "logic/Sessions.java",
                "return tells && ConnectionNumbers.isEarlier(number, session.number);",
                "return false;");
    }

    private void find(String twin, String source, String... replacements) throws Exception {
        findIn("firstFinding", twin, source, replacements);
    }

    private void findIn(String method, String twin, String source, String... replacements) throws Exception {
        Class<?> lives = Class.forName(TwinLives.class.getName(), true, TwinLoader.of(folder, source, replacements));
        Object found = lives.getMethod(method, int.class)
                .invoke(null, MutantTable.in("docs/simulation.md").seeds(twin));
        System.out.println("twin that " + twin + ": " + found);
        assertThat(found).asString().startsWith("seed ");
    }
}
