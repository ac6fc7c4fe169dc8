package io.slipstream.cli.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.MutantTable;
import io.slipstream.testkit.TwinLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exchange, the ledger and the key-value store with a few words changed; their worlds must find that. */
@Tag("long")
class BrokenWorldsTest {
    private static final String EXAMPLES = "examples/";
    private static final String STORE = EXAMPLES + "keyvalue/src/main/java/io/slipstream/keyvalue/";

    @TempDir
    private Path folder;

    @Test
    void findsABookThatIsCrossed() throws Exception {
        find(
                "exchange",
                "lets an order rest that could trade",
                EXAMPLES + "exchange/src/main/java/io/slipstream/exchange/OrderBook.java",
                "} else if (own.opposite().bestKey() <= own.opposite().key(price)) {",
                "} else if (own.opposite().bestKey() < own.opposite().key(price)) {");
    }

    @Test
    void findsMoneyThatIsMade() throws Exception {
        find(
                "ledger",
                "pays and keeps what was set aside",
                EXAMPLES + "ledger/src/main/java/io/slipstream/ledger/Ledger.java",
                "accounts.giveBack(debit, credit, transfers.amount(row));",
                "");
    }

    @Test
    void findsMoneyThatASnapshotLoses() throws Exception {
        find(
                "ledger",
                "loads no credits that are pending",
                EXAMPLES + "ledger/src/main/java/io/slipstream/ledger/Accounts.java",
                "change(row, input.readLong(), input.readLong(), input.readLong(), input.readLong());",
                "change(row, input.readLong(), input.readLong(), input.readLong(), 0 * input.readLong());");
    }

    /** Where keys were set one after the other their order is another one than where they were loaded. */
    @Test
    void findsAnswersThatComeBeforeTheirTurn() throws Exception {
        find(
                "keyvalue",
                "answers before its turn",
                STORE + "resp/RespConversation.java",
                "if (requests.pending() > 0) {\n"
                        + "            return false;\n"
                        + "        }\n"
                        + "        reply.begin(client.protocol);",
                "reply.begin(client.protocol);");
    }

    @Test
    void findsAStoreThatDivergesBehindASnapshot() throws Exception {
        find(
                "keyvalue",
                "takes keys in the order of their table",
                STORE + "memory/Keyspace.java",
                "for (; place > 0 && compareKeys(ordered[place - 1], record) > 0; place--) {",
                "for (; place > found && compareKeys(ordered[place - 1], record) > 0; place--) {");
    }

    @Test
    void findsAStoreThatCountsTheSlotsOfItsTable() throws Exception {
        find(
                "keyvalue",
                "counts the slots of its table",
                STORE + "memory/Keyspace.java",
                "long places = Math.max(1L << FIRST_BITS, Long.highestOneBit(Math.max(1, 2 * count - 1)));",
                "long places = 1L << slots.bits();");
    }

    /** A store that was loaded has fewer slots than the one that was saved, and room for more keys. */
    @Test
    void findsAStoreThatCountsTheSlotsOfATableThatNeverShrinks() throws Exception {
        find(
                "keyvalue",
                "counts the slots of a table that never shrinks",
                STORE + "memory/Keyspace.java",
                "long places = Math.max(1L << FIRST_BITS, Long.highestOneBit(Math.max(1, 2 * count - 1)));",
                "long places = 1L << slots.bits();",
                "if (former == null && SPARSE * count < 1L << slots.bits() && slots.bits() > FIRST_BITS) {",
                "if (former == null && slots.bits() > MOST_BITS) {");
    }

    @Test
    void findsAStoreThatLooksForTheOldestInSoManySlots() throws Exception {
        find(
                "keyvalue",
                "evicts of so many slots",
                STORE + "memory/Space.java",
                "for (int i = 0; i < found && looks < LOOKS; i++, looks++) {",
                "looks++; for (int i = 0; i < found; i++) {");
    }

    @Test
    void findsAStoreThatExpiresInTheOrderOfItsMemory() throws Exception {
        find(
                "keyvalue",
                "expires by address",
                STORE + "memory/ExpiryQueue.java",
                "byTime == 0 && keys.compareKeys(record, other) < 0",
                "byTime == 0 && record < other");
    }

    @Test
    void findsAStoreThatBeginsWithAWholeSlot() throws Exception {
        find(
                "keyvalue",
                "begins with all keys of a slot",
                STORE + "memory/Keyspace.java",
                "if (hash(record) < cursor) {",
                "if (hash(record) < 0) {");
    }

    @Test
    void findsAStoreThatScansOnlyTheBeginOfASlot() throws Exception {
        find(
                "keyvalue",
                "scans the begin of a slot",
                STORE + "command/Keys.java",
                "next = database.keys().hash(record);",
                "");
    }

    @Test
    void findsAStoreWhoseQueriesRemoveWhatHasExpired() throws Exception {
        find(
                "keyvalue",
                "removes what a query finds expired",
                STORE + "command/Database.java",
                "if (writing) {",
                "if (nowMillis > 0) {");
    }

    @Test
    void findsAStoreThatSavesOnlyWhatHasNotExpired() throws Exception {
        find(
                "keyvalue",
                "sweeps before it saves",
                STORE + "command/Database.java",
                "output.writeLong(changes);",
                "sweep(Integer.MAX_VALUE); output.writeLong(changes);");
    }

    @Test
    void findsAStoreThatAnswersOtherwiseThanRedis() throws Exception {
        find(
                "keyvalue",
                "pops the last of three",
                STORE + "command/Lists.java",
                "byte[] element = list.get(left ? 0 : list.size() - 1);",
                "byte[] element = list.get(left && list.size() < 3 ? 0 : list.size() - 1);");
    }

    private void find(String world, String twin, String source, String... replacements) throws Exception {
        Class<?> lives = Class.forName(WorldLives.class.getName(), true, TwinLoader.of(folder, source, replacements));
        int mostSeeds = MutantTable.in("docs/simulation.md").seeds(twin);
        Object found = lives.getMethod("firstFinding", String.class, int.class).invoke(null, world, mostSeeds);
        System.out.println("twin that " + twin + ": " + found);
        assertThat(found).asString().startsWith("seed ");
    }
}
