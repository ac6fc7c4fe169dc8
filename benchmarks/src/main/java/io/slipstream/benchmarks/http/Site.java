package io.slipstream.benchmarks.http;

import io.slipstream.core.counters.Counters;
import io.slipstream.http.HttpGateway;
import io.slipstream.http.api.Api;
import io.slipstream.http.config.HttpConfig;
import io.slipstream.http.config.HttpLimits;
import io.slipstream.http.config.Upstream;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Deposits with a gateway in the same process, as users run them. */
final class Site implements AutoCloseable {
    private static final int PLACES = 64;

    private final Counters counters;
    private final Service service;
    private final HttpGateway gateway;

    Site(Path folder, Durability level, HttpLimits limits) throws IOException {
        this(folder, level, limits, null);
    }

    /** With a door, the gateway goes to the service through shared memory, and by TCP without. */
    Site(Path folder, Durability level, HttpLimits limits, @Nullable Path door) throws IOException {
        counters = Counters.create(folder.resolveSibling(folder.getFileName() + ".counters"), PLACES);
        ServiceConfig config = ServiceConfig.in(folder).withJournal(JournalConfig.at(level));
        service = Service.start(door == null ? config : config.withSharedMemory(door), Deposits::new, counters);
        Upstream upstream =
                Upstream.at(new InetSocketAddress("localhost", service.port())).withCounters(counters.file());
        gateway = HttpGateway.start(
                HttpConfig.onPort(0).withLimits(limits),
                Api.of(Deposits.CONTRACT),
                door == null ? upstream : upstream.withDoor(door));
    }

    int port() {
        return gateway.port();
    }

    int nativePort() {
        return service.port();
    }

    @Override
    public void close() {
        gateway.close();
        service.close();
        counters.close();
    }
}
