package io.slipstream.http;

import io.slipstream.testkit.Opened;
import java.nio.file.Path;

/** A program in a container: a service behind a gateway, asked in several ways, which ends without the process. */
public final class Redeployed {
    private Redeployed() {}

    public static void main(String[] arguments) throws Exception {
        try (Opened opened = new Opened()) {
            BankSite site = opened.add(BankSite.open(Path.of(arguments[0])));
            ok(site.post("/commands/Deposit", BankSite.deposit(1, 100)).statusCode());
            ok(site.send(site.json("/commands/Deposit", BankSite.deposit(1, 100))
                            .header("Idempotency-Key", "redeployed/1"))
                    .statusCode());
            ok(site.post("/queries/BalanceOf", "{\"account\":1}").statusCode());
            ok(site.get("/metrics").statusCode());
            ok(site.get("/openapi.json").statusCode());
            ok(site.get("/").statusCode());
        }
    }

    private static void ok(int status) {
        if (status != 200) {
            throw new IllegalStateException("status " + status);
        }
    }
}
