package io.slipstream.cli.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.MutantTable;
import io.slipstream.testkit.TwinLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exchange, the ledger and the key-value store with a few words changed; their worlds must find that. */
class BrokenWorldsTest {
    private static final String EXAMPLES = "examples/";

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
    void findsAStoreThatDivergesBehindASnapshot() throws Exception {
        find(
                "keyvalue",
                "takes keys in the order of their table",
                EXAMPLES + "keyvalue/src/main/java/io/slipstream/keyvalue/memory/Keyspace.java",
                "for (; place > 0 && compareKeys(ordered[place - 1], record) > 0; place--) {",
                "for (; place > found && compareKeys(ordered[place - 1], record) > 0; place--) {");
    }

    @Test
    void findsAStoreThatAnswersOtherwiseThanRedis() throws Exception {
        find(
                "keyvalue",
                "pops the last of three",
                EXAMPLES + "keyvalue/src/main/java/io/slipstream/keyvalue/command/Lists.java",
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
