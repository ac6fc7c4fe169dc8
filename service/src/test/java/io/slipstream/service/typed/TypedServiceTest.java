package io.slipstream.service.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.DecodeException;
import io.slipstream.data.EncodeException;
import io.slipstream.data.codec.Codec;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.TestClients;
import io.slipstream.service.client.Feed;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.testing.TestService;
import io.slipstream.service.typed.Bank.Balance;
import io.slipstream.service.typed.Bank.BalanceOf;
import io.slipstream.service.typed.Bank.Deposit;
import io.slipstream.service.typed.Bank.Emptied;
import io.slipstream.service.typed.Bank.Remind;
import io.slipstream.service.typed.Bank.Reminder;
import io.slipstream.service.typed.Bank.Withdraw;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records from a client to a service and back, over a socket and through a journal. */
class TypedServiceTest {
    private static final long ALL = 0;

    @TempDir
    Path directory;

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private Service service;
    private TypedClient client;

    @BeforeEach
    void start() throws IOException {
        service = Service.start(config(), Bank::new);
        client = TypedClient.of(Bank.CONTRACT)
                .on(Emptied.class, events::add)
                .on(Reminder.class, events::add)
                .connect(TestClients.builder(service.port()));
    }

    @AfterEach
    void stop() {
        client.close();
        service.close();
    }

    @Test
    void aCommandThatAnotherClientSendsUnderItsNumberIsAppliedOnce() throws Exception {
        for (int i = 0; i < 3; i++) {
            try (TypedClient numbered = TypedClient.of(Bank.CONTRACT)
                    .connect(TestClients.builder(service.port()).session(9))) {
                assertThat(numbered.call(1, new Deposit(7, 100))).isEqualTo(new Balance(7, 100));
                assertThat(numbered.callAsync(2, new Withdraw(7, 10)).get()).isEqualTo(new Balance(7, 90));
                numbered.raw().disconnect();
            }
        }
        assertThat(client.query(new BalanceOf(7))).isEqualTo(new Balance(7, 90));
    }

    @Test
    void answersACommandWithTheRecordThatItNames() throws Exception {
        Balance balance = client.call(new Deposit(7, 100));
        assertThat(balance).isEqualTo(new Balance(7, 100));
        assertThat(client.callAsync(new Deposit(7, 1)).get()).isEqualTo(new Balance(7, 101));
        assertThat(client.query(new BalanceOf(7))).isEqualTo(new Balance(7, 101));
        assertThat(client.queryAsync(new BalanceOf(7)).get()).isEqualTo(new Balance(7, 101));
    }

    @Test
    void tellsWhyACommandWasRejected() {
        assertThatThrownBy(() -> client.call(new Withdraw(7, 5)))
                .isInstanceOf(RejectedException.class)
                .hasMessage("account 7 lacks 5");
        assertThatThrownBy(() -> client.callAsync(new Withdraw(7, 5)).get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(RejectedException.class);
        String seen = switch (client.attempt(new Withdraw(7, 6))) {
            case Outcome.Accepted(Balance balance) -> balance.toString();
            case Outcome.Rejected(String reason) -> reason;
        };
        assertThat(seen).isEqualTo("account 7 lacks 6");
    }

    @Test
    void deliversEventsByTheirType() throws Exception {
        client.call(new Deposit(3, 1));
        client.call(new Withdraw(3, 1));
        assertThat(Await.next(events)).isEqualTo(new Emptied(3));
        client.call(new Remind(0, "now"));
        assertThat(Await.next(events)).isInstanceOf(Reminder.class);
    }

    @Test
    void hearsTheEventsOfATopicWithWhatWasThereBefore() throws Exception {
        client.call(new Deposit(3, 1));
        client.call(new Withdraw(3, 1));
        assertThat(Await.next(events)).isEqualTo(new Emptied(3));
        BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
        long[] place = new long[2];
        Feed feed = client.subscribe(ALL, new TypedFeedHandler() {
            @Override
            public void onSnapshotItem(Event event) {
                heard.add("snapshot " + event);
            }

            @Override
            public void onLive() {
                heard.add("live");
            }

            @Override
            public void onItem(long sequence, int index, Event event) {
                place[0] = sequence;
                place[1] = index;
                heard.add(event);
            }

            @Override
            public void onEnd(ServiceException why) {
                heard.add("end");
            }
        });
        assertThat(Await.next(heard)).isEqualTo("snapshot " + new Emptied(3));
        assertThat(Await.next(heard)).isEqualTo("live");
        client.call(new Deposit(4, 1));
        client.call(new Withdraw(4, 1));
        assertThat(Await.next(heard)).isEqualTo(new Emptied(4));
        feed.close();
        client.call(new Deposit(5, 1));
        client.call(new Withdraw(5, 1));
        BlockingQueue<Event> later = new LinkedBlockingQueue<>();
        client.subscribe(ALL, place[0], (int) place[1], (_, _, event) -> later.add(event));
        assertThat(Await.next(later)).isEqualTo(new Emptied(5));
        assertThat(heard).isEmpty();
    }

    @Test
    void rejectsWhatItCannotReadAndReplaysToTheSameState() throws Exception {
        client.call(new Deposit(7, 100));
        assertRejected(new byte[3], "a payload has a header of 8 bytes, and these are 3");
        assertRejected(
                new byte[16], "bank knows no type with the number 0; it knows Deposit, Withdraw, Remind, BalanceOf");
        byte[] cut = codec(Deposit.class).toBytes(new Deposit(7, 1));
        assertRejected(Arrays.copyOf(cut, 10), "Deposit");
        byte[] refused = cut.clone();
        Arrays.fill(refused, 16, 24, (byte) 0);
        assertRejected(refused, "Deposit: an amount is positive, not 0");
        assertRejected(codec(BalanceOf.class).toBytes(new BalanceOf(7)), "BalanceOf is a query; send it as one");
        assertThatThrownBy(() -> client.raw().query(cut)).hasMessage("Deposit is a command; send it as one");
        long hash = client.raw().status().stateHash();
        client.close();
        service.close();
        assertThat(TestService.assertReplays(directory, Bank::new).stateHash()).isEqualTo(hash);
    }

    @Test
    void sendsNothingThatDoesNotFitItsSchema() {
        assertThatThrownBy(() -> client.call(new Remind(0, "x".repeat(41))))
                .isInstanceOf(EncodeException.class)
                .hasMessageContaining("Remind.text");
        record Stranger(long x) implements Command<Balance> {}
        assertThatThrownBy(() -> client.call(new Stranger(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is no command or query of bank; add it to the contract");
    }

    @Test
    void speaksJsonForGateways() {
        Operation<?, ?> deposit = Bank.CONTRACT.operation("Deposit");
        Reply reply = client.raw().call(deposit.fromJson("{\"account\":7,\"amount\":100}"));
        assertThat(deposit.replyToJson(reply.payload())).isEqualTo("{\"account\":7,\"amount\":100}");
        assertThatThrownBy(() -> deposit.fromJson("{\"account\":7,\"amout\":100}"))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("amout");
        assertThat(Bank.CONTRACT.operations())
                .extracting(Operation::toString)
                .containsExactly(
                        "command Deposit -> Balance",
                        "command Withdraw -> Balance",
                        "command Remind -> Done",
                        "query BalanceOf -> Balance");
        assertThat(Bank.CONTRACT.describe()).contains("event Emptied", "record Withdraw id ");
    }

    @Test
    void refusesAContractOrAMachineThatCannotWork() {
        record Mute() implements Command<Object> {}
        Contract.Builder builder = Contract.named("odd", MethodHandles.lookup());
        assertThatThrownBy(() -> builder.commands(Mute.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not say what its reply is");
        assertThatThrownBy(() -> new Incomplete().name())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("bank has no handler for Deposit, Withdraw, Remind");
    }

    private void assertRejected(byte[] payload, String reason) {
        assertThatThrownBy(() -> client.raw().call(payload))
                .isInstanceOf(ServiceException.class)
                .hasMessageStartingWith(reason);
    }

    private static <C> Codec<C> codec(Class<C> type) {
        return Bank.CONTRACT.<C, Object>operation(type).codec();
    }

    private ServiceConfig config() {
        return ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 16));
    }

    private static final class Incomplete extends TypedMachine {
        Incomplete() {
            super(Bank.CONTRACT);
        }

        @Override
        public long stateHash() {
            return 0;
        }
    }
}
