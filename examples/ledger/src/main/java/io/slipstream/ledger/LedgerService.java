package io.slipstream.ledger;

import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.snapshot.SnapshotPolicy;
import io.slipstream.service.typed.TypedClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Runs the ledger, and a few transfers through it. What it has answered survives {@code kill -9} and power loss. */
public final class LedgerService {
    private LedgerService() {}

    /** Returns the settings of a ledger in that folder: commands as long as a full {@link Submit}. */
    public static ServiceConfig config(Path folder) {
        return ServiceConfig.in(folder)
                .withLimits(limits -> limits.withMaxFrameLength(1 << 19))
                .withSnapshots(SnapshotPolicy.everyLogBytes(1L << 30));
    }

    /** Returns a client whose window has room for a full {@link Submit}. */
    public static TypedClient connect(int port) throws IOException {
        return connect(ServiceClient.builder("localhost", port));
    }

    /** Returns a client with these settings, but for the window, which has room for a full {@link Submit}. */
    public static TypedClient connect(ServiceClient.Builder settings) throws IOException {
        return TypedClient.of(Ledger.CONTRACT).connect(settings.windowBytes(1 << 20));
    }

    /** Pays 1 from the account 1 to the account 2, in the folder that is given. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args.length > 0 ? args[0] : "ledger-data");
        try (Service service = Service.start(config(folder), Ledger::new);
                TypedClient client = connect(service.port())) {
            client.attempt(new OpenAccount(1, true));
            client.attempt(new OpenAccount(2, false));
            long id = client.query(new AccountOf(1)).debits() + 1;
            Submitted submitted = client.call(new Submit(List.of(Transfer.pay(id, 1, 2, 1))));
            System.out.println(submitted.failures().isEmpty() ? client.query(new AccountOf(2)) : submitted);
        }
    }
}
