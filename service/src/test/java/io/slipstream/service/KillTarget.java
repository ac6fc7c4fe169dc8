package io.slipstream.service;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;

/** A service in a process of its own, to be killed: {@code KillTarget directory port level}. */
final class KillTarget {
    private KillTarget() {
    }

    /** Serves until it is killed. */
    static void main(String[] args) throws Exception {
        ServiceConfig config = ServiceConfig.in(Path.of(args[0]))
                .withAddress(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[1])))
                .withJournal(JournalConfig.at(Durability.valueOf(args[2])).withSegmentBytes(1 << 18))
                .withMaxResponseTime(Duration.ofSeconds(10));
        try (Service service = Service.start(config, new LedgerMachine())) {
            System.out.println("ready");
            service.ended().join();
        }
    }
}
