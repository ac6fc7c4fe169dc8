package io.slipstream.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.KeyValueStore;
import io.slipstream.keyvalue.resp.Payloads;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.ledger.AccountOf;
import io.slipstream.ledger.Ledger;
import io.slipstream.ledger.LedgerService;
import io.slipstream.ledger.OpenAccount;
import io.slipstream.ledger.Submit;
import io.slipstream.ledger.Transfer;
import io.slipstream.replica.backup.BackupSite;
import io.slipstream.replica.backup.SiteClient;
import io.slipstream.replica.primary.JournalPush;
import io.slipstream.replica.primary.PushLevel;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.typed.TypedClient;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The services that users begin with, each with a backup that takes over; for the exchange see the commands' test. */
class ExamplesTest extends PairOfSites {
    private static final JournalConfig JOURNAL = process().withSegmentBytes(1 << 22);

    /** What is done with a service. */
    private interface Load {
        void on(Service service) throws Exception;
    }

    @Test
    void theLedgerIsTakenOver() throws Exception {
        takeOver(
                in -> LedgerService.config(in).withJournal(JOURNAL),
                Ledger::new,
                service -> {
                    try (TypedClient client = LedgerService.connect(service.port())) {
                        client.call(new OpenAccount(1, true));
                        client.call(new OpenAccount(2, false));
                        List<Transfer> transfers = LongStream.rangeClosed(1, 500)
                                .mapToObj(id -> Transfer.pay(id, 1, 2, 1))
                                .toList();
                        assertThat(client.call(new Submit(transfers)).failures())
                                .isEmpty();
                    }
                },
                service -> {
                    try (TypedClient client = LedgerService.connect(service.port())) {
                        assertThat(client.query(new AccountOf(2)).available()).isEqualTo(500);
                    }
                });
    }

    @Test
    void theKeyValueStoreIsTakenOver() throws Exception {
        RespProtocol resp = new RespProtocol();
        takeOver(
                in -> ServiceConfig.in(in)
                        .withMaxResponseTime(Await.RESPONSE)
                        .withJournal(JOURNAL)
                        .withLimits(limits -> limits.withMaxFrameLength(1 << 19))
                        .withProtocol(resp, address(0)),
                KeyValueStore::new,
                service -> {
                    for (int i = 1; i <= 20; i++) {
                        assertThat(ask(service.port(resp), "INCR n", i < 10 ? 4 : 5))
                                .isEqualTo(":" + i + "\r\n");
                    }
                },
                site -> assertThat(new String(
                                site.query(Payloads.of(RedisCommand.GET, List.of("n")))
                                        .payload(),
                                StandardCharsets.US_ASCII))
                        .isEqualTo("$2\r\n20\r\n"),
                service -> assertThat(ask(service.port(resp), "GET n", 8)).isEqualTo("$2\r\n20\r\n"));
    }

    private static String ask(int port, String request, int bytes) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream().write((request + "\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
        }
    }

    /** What is asked of the backup while the primary lives. */
    private interface Asking {
        void of(SiteClient site) throws IOException;
    }

    private void takeOver(Function<Path, ServiceConfig> in, Supplier<StateMachine> machine, Load before, Load after)
            throws Exception {
        takeOver(in, machine, before, site -> {}, after);
    }

    private void takeOver(
            Function<Path, ServiceConfig> in, Supplier<StateMachine> machine, Load before, Asking asking, Load after)
            throws Exception {
        ServiceConfig config = in.apply(folder.resolve("primary"));
        ServiceConfig copy = in.apply(folder.resolve("backup"));
        try (BackupSite backup = BackupSite.start(copy, config(0), machine.get())) {
            long hash;
            JournalPush push = new JournalPush(push(address(backup.port())).withLevel(PushLevel.BACKUP));
            try (Service service = Service.start(config.withLogGate(push), machine.get())) {
                before.on(service);
                Await.until(
                        "all is applied",
                        () -> push.lag() == 0 && backup.report().applied() == push.acknowledgedSequence());
                try (ServiceClient client = TestClients.connect(service.port())) {
                    hash = client.status().stateHash();
                }
                assertThat(backup.report().stateHash()).isEqualTo(hash);
                asking.of(new SiteClient(config(backup.port())));
                backup.promote();
            }
        }
        assertPrefix();
        try (Service next = Service.start(copy, machine.get())) {
            after.on(next);
        }
    }
}
