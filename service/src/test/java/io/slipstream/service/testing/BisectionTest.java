package io.slipstream.service.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.TestClients;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.logic.DivergedException;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.testing.Bisection.Between;
import io.slipstream.service.testing.Bisection.Differs;
import io.slipstream.service.testing.Bisection.Same;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bisection finds the very entry at which two machines part, and the piece of a log that another machine wrote. */
class BisectionTest {
    private static final int COMMANDS = 10_000;
    private static final int AT_ONCE = 100;
    private static final long ODD_ONE = 7_777;

    @TempDir
    Path folder;

    @Test
    void saysThatTheSameCodeComesToTheSameState() throws IOException {
        long hash = write();
        assertThat(Bisection.find(folder, BisectionTest::right, BisectionTest::right))
                .isInstanceOfSatisfying(
                        Same.class, same -> assertThat(same.hash()).isEqualTo(hash));
    }

    @Test
    void findsTheCommandThatAMachineAppliesOtherwiseEachTime() throws IOException {
        write();
        AtomicLong outside = new AtomicLong();
        assertThat(Bisection.find(
                        folder,
                        () -> summing(value -> value + outside.incrementAndGet()),
                        () -> summing(value -> value + outside.incrementAndGet())))
                .isInstanceOf(Differs.class)
                .extracting("text")
                .asString()
                .endsWith(" 8 bytes: " + hex(1) + ")");
    }

    @Test
    void findsTheOneCommandThatAChangeHasChanged() throws IOException {
        write();
        assertThat(Bisection.find(folder, BisectionTest::changed, BisectionTest::right))
                .isInstanceOfSatisfying(Differs.class, differs -> {
                    assertThat(differs.text())
                            .startsWith(differs.entry() + " (")
                            .endsWith(" 8 bytes: " + hex(ODD_ONE) + ")");
                    assertThat(differs.firstHash()).isEqualTo(differs.secondHash() + 1);
                });
    }

    @Test
    void findsThePieceOfTheLogThatAnotherMachineWrote() throws IOException {
        write();
        assertThatThrownBy(() -> Service.replay(config(), changed()))
                .isInstanceOf(DivergedException.class)
                .hasMessageContaining("slipstream journal bisect");
        assertThat(Bisection.find(folder, BisectionTest::changed, BisectionTest::changed))
                .isInstanceOfSatisfying(Between.class, between -> {
                    assertThat(between.logged()).isTrue();
                    assertThat(between.after()).isLessThan(ODD_ONE);
                    assertThat(between.upTo()).isGreaterThan(ODD_ONE);
                });
    }

    @Test
    void findsTheCommandBehindASnapshot() throws Exception {
        try (Service service = Service.start(config(), right());
                ServiceClient client = TestClients.connect(service.port())) {
            send(client, 1, 5_000);
            service.snapshot().get();
            send(client, 5_001, COMMANDS);
        }
        assertThat(Bisection.find(folder, BisectionTest::changed, BisectionTest::right))
                .isInstanceOf(Differs.class)
                .extracting("text")
                .asString()
                .contains(hex(ODD_ONE));
    }

    private ServiceConfig config() {
        return ServiceConfig.in(folder)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS))
                .withStateChecks(500);
    }

    private long write() throws IOException {
        try (Service service = Service.start(config(), right());
                ServiceClient client = TestClients.connect(service.port())) {
            send(client, 1, COMMANDS);
            return client.status().stateHash();
        }
    }

    private static void send(ServiceClient client, long from, long to) {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (long value = from; value <= to; value++) {
            replies.add(
                    client.send(ByteBuffer.allocate(Long.BYTES).putLong(value).array()));
            if (replies.size() == AT_ONCE || value == to) {
                replies.forEach(CompletableFuture::join);
                replies.clear();
            }
        }
    }

    private static String hex(long value) {
        return String.format("%016x", value);
    }

    private static StateMachine right() {
        return summing(value -> value);
    }

    private static StateMachine changed() {
        return summing(value -> value == ODD_ONE ? value + 1 : value);
    }

    private static StateMachine summing(LongUnaryOperator rule) {
        return new Summing(rule);
    }

    /** Adds up what a rule makes of each value. */
    private static final class Summing implements StateMachine {
        private static final ValueLayout.OfLong VALUE = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

        private final LongUnaryOperator rule;
        private long sum;

        Summing(LongUnaryOperator rule) {
            this.rule = rule;
        }

        @Override
        public void onCommand(Request command, Output output) {
            sum += rule.applyAsLong(command.memory().get(VALUE, command.offset()));
        }

        @Override
        public long stateHash() {
            return sum;
        }

        @Override
        public void save(StateOutput to) {
            to.writeLong(sum);
        }

        @Override
        public void load(StateInput from, int version) {
            sum = from.readLong();
        }
    }
}
