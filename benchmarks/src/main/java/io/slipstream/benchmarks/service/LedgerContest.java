package io.slipstream.benchmarks.service;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.ledger.AccountOf;
import io.slipstream.ledger.Ledger;
import io.slipstream.ledger.LedgerService;
import io.slipstream.ledger.OpenAccount;
import io.slipstream.ledger.Submit;
import io.slipstream.ledger.Submitted;
import io.slipstream.ledger.Transfer;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceEvents;
import io.slipstream.service.typed.TypedClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Transfers a second in full batches, forced; beside a round million, which others report for many processors. */
final class LedgerContest implements Contest {
    private static final int ACCOUNTS = 10_000;
    private static final int IN_FLIGHT = 3;
    private static final double MILLION = 1e6;

    private final Scratch scratch = new Scratch();
    private final Service service;
    private final TypedClient client;
    private final int batches;
    private long nextId = 1;

    LedgerContest(int batches) throws IOException {
        this.batches = batches;
        service = Service.start(
                LedgerService.config(scratch.folder())
                        .withEvents(ServiceEvents.ignored())
                        .withMaxResponseTime(Duration.ofSeconds(10)),
                Ledger::new);
        client = LedgerService.connect(service.port());
        for (int account = 1; account <= ACCOUNTS; account++) {
            client.call(new OpenAccount(account, true));
        }
    }

    @Override
    public double ours() {
        List<Submit> made = new ArrayList<>();
        for (int i = 0; i < batches; i++) {
            made.add(batch());
        }
        long before = client.query(new AccountOf(1)).debits();
        long begin = System.nanoTime();
        Deque<CompletableFuture<Submitted>> underWay = new ArrayDeque<>();
        for (Submit each : made) {
            if (underWay.size() == IN_FLIGHT) {
                check(underWay.remove().join());
            }
            underWay.add(client.callAsync(each));
        }
        underWay.forEach(each -> check(each.join()));
        double seconds = (System.nanoTime() - begin) / 1e9;
        long paid = made.stream()
                .flatMap(each -> each.transfers().stream())
                .filter(each -> each.debit() == 1)
                .count();
        if (client.query(new AccountOf(1)).debits() - before != paid) {
            throw new IllegalStateException("account 1 has not paid " + paid);
        }
        return (double) batches * Submit.MAX_TRANSFERS / seconds;
    }

    private static void check(Submitted submitted) {
        if (!submitted.failures().isEmpty()) {
            throw new IllegalStateException("not done: " + submitted.failures().getFirst());
        }
    }

    private Submit batch() {
        List<Transfer> transfers = new ArrayList<>(Submit.MAX_TRANSFERS);
        for (int i = 0; i < Submit.MAX_TRANSFERS; i++) {
            long id = nextId++;
            long debit = 1 + (id * 0x9E37_79B9_7F4A_7C15L >>> 1) % ACCOUNTS;
            transfers.add(Transfer.pay(id, debit, 1 + debit % ACCOUNTS, 1));
        }
        return new Submit(transfers);
    }

    @Override
    public double peer() {
        return MILLION;
    }

    @Override
    public void close() throws IOException {
        try (scratch;
                service;
                client) {
            client.close();
        }
    }
}
