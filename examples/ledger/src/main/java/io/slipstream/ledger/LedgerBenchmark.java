package io.slipstream.ledger;

import io.slipstream.service.Service;
import io.slipstream.service.typed.TypedClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** Measures transfers a second: one client, full batches, every answer forced to disk. */
public final class LedgerBenchmark {
    private static final int ACCOUNTS = 10_000;
    private static final int IN_FLIGHT = 2;

    private LedgerBenchmark() {}

    /** Takes a folder that is empty, and for how many seconds to run. */
    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("usage: bench FOLDER SECONDS");
            System.exit(2);
        }
        try (Service service = Service.start(
                        LedgerService.config(Path.of(args[0])).withMaxResponseTime(Duration.ofSeconds(10)),
                        Ledger::new);
                TypedClient client = LedgerService.connect(service.port())) {
            for (int account = 1; account <= ACCOUNTS; account++) {
                client.call(new OpenAccount(account, true));
            }
            run(client, Integer.parseInt(args[1]));
        }
    }

    private static void run(TypedClient client, int seconds) {
        long begin = System.nanoTime();
        long second = 1;
        long done = 0;
        long shown = 0;
        long nextId = 1;
        Deque<CompletableFuture<Submitted>> underWay = new ArrayDeque<>();
        while (second <= seconds) {
            while (underWay.size() < IN_FLIGHT) {
                underWay.add(client.callAsync(batch(nextId)));
                nextId += Submit.MAX_TRANSFERS;
            }
            Submitted submitted = underWay.remove().join();
            if (!submitted.failures().isEmpty()) {
                throw new IllegalStateException(
                        "not done: " + submitted.failures().getFirst());
            }
            done += Submit.MAX_TRANSFERS;
            if (System.nanoTime() - begin > second * 1_000_000_000) {
                System.out.printf(Locale.ROOT, "second %d: %,d transfers/s%n", second, done - shown);
                shown = done;
                second++;
            }
        }
        underWay.forEach(CompletableFuture::join);
        System.out.printf(
                Locale.ROOT,
                "all: %,.0f transfers/s, %,d in batches of %,d, SYNC%n",
                done / ((System.nanoTime() - begin) / 1e9),
                done,
                Submit.MAX_TRANSFERS);
    }

    private static Submit batch(long firstId) {
        List<Transfer> transfers = new ArrayList<>(Submit.MAX_TRANSFERS);
        for (int i = 0; i < Submit.MAX_TRANSFERS; i++) {
            long id = firstId + i;
            long debit = 1 + (Hash.mix(id) >>> 1) % ACCOUNTS;
            long credit = 1 + debit % ACCOUNTS;
            transfers.add(Transfer.pay(id, debit, credit, 1));
        }
        return new Submit(transfers);
    }
}
