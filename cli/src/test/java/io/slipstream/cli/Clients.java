package io.slipstream.cli;

import io.slipstream.exchange.client.ExchangeClient;
import io.slipstream.exchange.client.ExchangeListener;
import io.slipstream.ledger.LedgerService;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.typed.TypedClient;
import io.slipstream.testkit.Await;
import java.io.IOException;

/** Clients that wait for their answers with the patience of a test. */
public final class Clients {
    private Clients() {}

    /** Connects to a ledger. */
    public static TypedClient ledger(int port) throws IOException {
        return LedgerService.connect(patient(port));
    }

    /** Connects to an exchange. */
    public static ExchangeClient exchange(int port) throws IOException {
        return ExchangeClient.connect(patient(port), new ExchangeListener() {});
    }

    static ServiceClient.Builder patient(int port) {
        return ServiceClient.builder("127.0.0.1", port).timeout(Await.PATIENCE);
    }
}
