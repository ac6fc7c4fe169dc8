package io.slipstream.bank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
            assertEquals(new Balance(150), client.call(new Deposit(7, 50)));
            assertThrows(RejectedException.class, () -> client.call(new Deposit(7, -1)));
            service.restart();
            assertEquals(new Balance(150), client.query(new BalanceOf(7)));
        }
    }
}
