package io.slipstream.sim.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.storage.Storage;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.sim.example.Shop;
import io.slipstream.testkit.MutantTable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Services that break a promise each; the simulation must find every one of them within some seeds. */
class BrokenServiceTest {
    private static long runningClock;

    @Test
    void findsAJournalThatAcknowledgesBeforeItHasForced() {
        find("acknowledges early", Shop::new, LazyStorage::new, (sender, bytes) -> bytes);
    }

    @Test
    void findsAMachineThatReadsTheClock() {
        find(
                "reads the clock",
                () -> new Twin() {
                    private long looks;

                    @Override
                    public void onCommand(Request command, Output output) {
                        super.onCommand(command, output);
                        looks += ++runningClock % 7;
                    }

                    @Override
                    public long stateHash() {
                        return super.stateHash() + looks;
                    }
                },
                disk -> disk,
                (sender, bytes) -> bytes);
    }

    @Test
    void findsASnapshotThatLacksAField() {
        find(
                "forgets a field",
                () -> new Twin() {
                    private long opened;

                    @Override
                    public void onCommand(Request command, Output output) {
                        super.onCommand(command, output);
                        opened++;
                    }

                    @Override
                    public long stateHash() {
                        return super.stateHash() * 31 + opened;
                    }
                },
                disk -> disk,
                (sender, bytes) -> bytes);
    }

    @Test
    void findsAReplyThatIsNotTheOneOfTheCommand() {
        find("replies with something else", Shop::new, disk -> disk, (sender, bytes) -> {
            if (sender.equals("service")
                    && type(bytes) == MessageType.REPLY
                    && bytes.length > Message.HEADER_BYTES
                    && bytes[0] > Message.HEADER_BYTES) {
                bytes[Message.HEADER_BYTES] ^= 64;
            }
            return bytes;
        });
    }

    @Test
    void findsAFeedThatSkipsAnItem() {
        find("skips an item", Shop::new, disk -> disk, (sender, bytes) -> {
            if (sender.equals("service") && type(bytes) == MessageType.ITEM) {
                int first = Frame.align(Frame.length(MemorySegment.ofArray(bytes), 0));
                return bytes.length > first ? Arrays.copyOfRange(bytes, first, bytes.length) : bytes;
            }
            return bytes;
        });
    }

    @Test
    void findsAnEventThatIsLost() {
        find("loses events", Shop::new, disk -> disk, (sender, bytes) -> {
            return sender.equals("service") ? withoutEvents(bytes) : bytes;
        });
    }

    @Test
    void findsASnapshotThatCannotBeSaved() {
        find(
                "cannot save its state",
                () -> new Twin() {
                    @Override
                    public void save(StateOutput output) {
                        throw new IllegalStateException("the state is secret");
                    }
                },
                disk -> disk,
                (sender, bytes) -> bytes);
    }

    @Test
    void findsAResendThatIsTakenForANewCommand() {
        find("sends a resend as a new command", Shop::new, disk -> disk, (sender, bytes) -> {
            if (sender.startsWith("client")
                    && type(bytes) == MessageType.COMMAND
                    && bytes[Message.FLAGS_OFFSET] == Message.RESENT) {
                bytes[Message.FLAGS_OFFSET] = 0;
                bytes[Message.CORRELATION_OFFSET + 1] += 64;
            }
            return bytes;
        });
    }

    /** So that nobody keeps a row whose mutant is gone. */
    @Test
    void eachMutantOfTheTableIsATest() throws IOException {
        StringBuilder tests = new StringBuilder();
        for (String test : List.of(
                "src/test/java/io/slipstream/sim/service/BrokenServiceTest.java",
                "src/test/java/io/slipstream/sim/service/BrokenCodeTest.java",
                "src/test/java/io/slipstream/sim/service/WorkloadTest.java",
                "src/test/java/io/slipstream/sim/pair/BrokenPairTest.java",
                "src/test/java/io/slipstream/sim/cluster/BrokenClusterTest.java",
                "../cli/src/test/java/io/slipstream/cli/sim/BrokenWorldsTest.java")) {
            tests.append(Files.readString(Path.of(test)));
        }
        assertThat(MutantTable.in("docs/simulation.md").mutants())
                .allSatisfy(mutant -> assertThat(tests).contains('"' + mutant + '"'));
    }

    private static void find(
            String twin,
            Supplier<? extends Shop> machines,
            UnaryOperator<Storage> disk,
            BiFunction<String, byte[], byte[]> network) {
        Simulation<Shop> simulation = Simulation.<Shop>of(machines, Shop::random)
                .topics(Shop.NEWS)
                .onDisk(disk)
                .onNetwork(network);
        int mostSeeds = MutantTable.in("docs/simulation.md").seeds(twin);
        for (int seed = 1; seed <= mostSeeds; seed++) {
            try {
                simulation.run(seed, new SimulationReport());
            } catch (SimulationFailure failure) {
                System.out.println("twin that " + twin + ": found with seed " + seed + ": " + failure.finding());
                assertThat(failure.seed()).isEqualTo(seed);
                return;
            }
        }
        throw new AssertionError("the twin that " + twin + " was not found within " + mostSeeds + " seeds");
    }

    /** Leaves the events out of what is written at once, unless it begins in the midst of a message. */
    private static byte[] withoutEvents(byte[] bytes) {
        MemorySegment memory = MemorySegment.ofArray(bytes);
        byte[] rest = new byte[bytes.length];
        int kept = 0;
        for (int at = 0; at < bytes.length; ) {
            int length = bytes.length - at < Message.HEADER_BYTES ? 0 : Frame.align(Frame.length(memory, at));
            if (length < Message.HEADER_BYTES || length > bytes.length - at) {
                return bytes;
            }
            if (Message.type(memory, at) != MessageType.EVENT) {
                System.arraycopy(bytes, at, rest, kept, length);
                kept += length;
            }
            at += length;
        }
        return Arrays.copyOf(rest, kept);
    }

    private static short type(byte[] bytes) {
        return bytes.length < Message.HEADER_BYTES ? 0 : Message.type(MemorySegment.ofArray(bytes), 0);
    }

    private static class Twin extends Shop {
        @Override
        public String name() {
            return "shop";
        }
    }
}
