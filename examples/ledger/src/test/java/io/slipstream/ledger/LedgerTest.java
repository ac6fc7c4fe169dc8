package io.slipstream.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.ledger.Statement.State;
import io.slipstream.ledger.Submitted.Failure;
import io.slipstream.ledger.Submitted.Reason;
import io.slipstream.service.testing.TestClient;
import io.slipstream.service.testing.TestService;
import io.slipstream.service.typed.RejectedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerTest {
    private final TestService<Ledger> service = TestService.of(Ledger::new);
    private final TestClient client = service.connect();

    @BeforeEach
    void open() {
        client.call(new OpenAccount(1, true));
        client.call(new OpenAccount(2, false));
        client.call(new OpenAccount(3, false));
    }

    @AfterEach
    void close() {
        service.restart();
        service.restartFromSnapshot();
        service.close();
    }

    @Test
    void anAmountIsNotSetAsideForLessThanNoTime() {
        assertThatThrownBy(() -> Transfer.pending(11, 2, 3, 50, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 seconds or more, not -1");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE})
    void refusesANegativeTimeThatComesAsJson(int seconds) {
        long before = service.stateHash();
        for (String step : new String[] {"PENDING", "PAY"}) {
            assertThat(replyTo(step, seconds))
                    .as(step)
                    .isEqualTo("{\"failures\":[{\"index\":0,\"reason\":\"BAD_SECONDS\"}]}");
            assertThat(service.stateHash()).isEqualTo(before);
        }
        submit(Transfer.pay(12, 1, 2, 70), Transfer.pending(11, 2, 3, 50, 60));
        for (Transfer.Step step : new Transfer.Step[] {Transfer.Step.POST, Transfer.Step.VOID}) {
            assertThat(submit(new Transfer(20, 0, 0, 0, step, 11, seconds)))
                    .as("%s", step)
                    .containsExactly(new Failure(0, Reason.BAD_SECONDS));
        }
    }

    private String replyTo(String step, int seconds) {
        var submit = Ledger.CONTRACT.operation("Submit");
        byte[] payload = submit.fromJson("""
            {"transfers":[{"id":10,"debit":1,"credit":2,"amount":5,"step":"%s","pending":0,"seconds":%s}]}\
            """.formatted(step, seconds));
        return submit.replyToJson(client.call(payload).payload());
    }

    @Test
    void paysFromOneAccountToAnother() {
        assertThat(submit(Transfer.pay(10, 1, 2, 70))).isEmpty();
        assertThat(client.query(new AccountOf(1))).isEqualTo(new Account(1, 70, 0, 0, 0));
        assertThat(client.query(new AccountOf(2)).available()).isEqualTo(70);
    }

    @Test
    void setsAnAmountAsideUntilItExpires() {
        submit(Transfer.pay(10, 1, 2, 70), Transfer.pending(11, 2, 3, 50, 60));
        assertThat(client.query(new AccountOf(2)).available()).isEqualTo(20);
        client.subscribe(2);
        service.advance(Duration.ofSeconds(60));
        assertThat(client.query(new AccountOf(2)).available()).isEqualTo(70);
        assertThat(client.items(2)).containsExactly(new Expired(11));
        assertThat(submit(Transfer.post(12, 11))).containsExactly(new Failure(0, Reason.NOT_PENDING));
    }

    @Test
    void postsOrVoidsWhatWasSetAside() {
        submit(Transfer.pay(10, 1, 2, 70), Transfer.pending(11, 2, 3, 50, 60), Transfer.pending(12, 2, 3, 20, 0));
        assertThat(submit(Transfer.post(13, 11), Transfer.voided(14, 12), Transfer.voided(15, 12)))
                .containsExactly(new Failure(2, Reason.NOT_PENDING));
        service.restartFromSnapshot();
        service.advance(Duration.ofDays(1));
        assertThat(client.query(new AccountOf(2))).isEqualTo(new Account(2, 50, 70, 0, 0));
        assertThat(client.query(new AccountOf(3)).available()).isEqualTo(50);
        assertThat(submit(Transfer.pay(13, 1, 2, 1))).containsExactly(new Failure(0, Reason.EXISTS));
    }

    @Test
    void saysWhyATransferWasNotDoneAndDoesTheOthers() {
        assertThat(submit(
                        Transfer.pay(10, 2, 1, 1),
                        Transfer.pay(11, 9, 1, 1),
                        Transfer.pay(12, 1, 9, 1),
                        Transfer.pay(13, 1, 1, 1),
                        Transfer.pay(14, 1, 2, 0),
                        Transfer.pay(15, 1, 2, 5),
                        Transfer.pay(15, 1, 2, 5),
                        Transfer.pay(16, 1, 2, Long.MAX_VALUE)))
                .extracting(Failure::reason)
                .containsExactly(
                        Reason.OVERDRAWN,
                        Reason.NO_DEBIT_ACCOUNT,
                        Reason.NO_CREDIT_ACCOUNT,
                        Reason.SAME_ACCOUNT,
                        Reason.BAD_AMOUNT,
                        Reason.EXISTS,
                        Reason.OVERFLOW);
        assertThat(client.query(new AccountOf(2)).available()).isEqualTo(5);
        assertThatThrownBy(() -> client.call(new OpenAccount(1, true)))
                .isInstanceOf(RejectedException.class)
                .hasMessage("there is an account 1");
    }

    @Test
    void listsTheTransfersOfAnAccountNewestFirst() {
        submit(Transfer.pay(10, 1, 2, 70), Transfer.pay(11, 1, 3, 7), Transfer.pending(12, 2, 3, 5, 0));
        assertThat(client.query(new TransfersOf(2, 10)).entries())
                .containsExactly(
                        new Statement.Entry(12, 2, 3, 5, State.PENDING),
                        new Statement.Entry(10, 1, 2, 70, State.POSTED));
        assertThat(client.query(new TransfersOf(3, 1)).entries()).hasSize(1);
    }

    @Test
    void debitsEqualCreditsWhateverIsSubmitted() {
        Random random = new Random(7);
        for (int round = 0; round < 50; round++) {
            List<Transfer> batch = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                batch.add(new Transfer(
                        random.nextInt(3000),
                        random.nextInt(5),
                        random.nextInt(5),
                        random.nextInt(50),
                        Transfer.Step.values()[random.nextInt(4)],
                        random.nextInt(3000),
                        random.nextInt(3)));
            }
            client.call(new Submit(batch));
            service.advance(Duration.ofMillis(500));
            long debits = 0;
            long credits = 0;
            for (int i = 1; i <= 3; i++) {
                Account account = client.query(new AccountOf(i));
                debits += account.debits() + account.pendingDebits();
                credits += account.credits() + account.pendingCredits();
                assertThat(i == 1 || account.available() >= 0).isTrue();
            }
            assertThat(debits).isEqualTo(credits).isPositive();
        }
    }

    private List<Failure> submit(Transfer... transfers) {
        return client.call(new Submit(List.of(transfers))).failures();
    }
}
