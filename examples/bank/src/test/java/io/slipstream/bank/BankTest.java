package io.slipstream.bank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.bank.Bank.Balance;
import io.slipstream.bank.Bank.BalanceOf;
import io.slipstream.bank.Bank.Deposit;
import io.slipstream.service.testing.TestClient;
import io.slipstream.service.testing.TestService;
import io.slipstream.service.typed.RejectedException;
import org.junit.jupiter.api.Test;

class BankTest {
    @Test
    void addsUpDeposits() {
        try (TestService<Bank> service = TestService.of(Bank::new)) {
            TestClient client = service.connect();
            client.call(new Deposit(7, 100));
            assertThat(client.call(new Deposit(7, 50))).isEqualTo(new Balance(150));
            assertThatThrownBy(() -> client.call(new Deposit(7, -1))).isInstanceOf(RejectedException.class);
            service.restart();
            assertThat(client.query(new BalanceOf(7))).isEqualTo(new Balance(150));
        }
    }
}
