package io.slipstream.keyvalue;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.Threading;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.function.IntSupplier;

/** A store on one thread; its int is the port where it speaks RESP. */
public final class CountedStore implements IntSupplier, AutoCloseable {
    private final RespProtocol protocol = new RespProtocol();
    private final Service service;

    /** Starts the store. */
    public CountedStore(Path folder) throws IOException {
        service = Service.start(
                ServiceConfig.in(folder)
                        .withAddress(new InetSocketAddress("127.0.0.1", 0))
                        .withProtocol(protocol, new InetSocketAddress("127.0.0.1", 0))
                        .withThreading(Threading.ONE)
                        .withMaxResponseTime(Await.RESPONSE)
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20)),
                new KeyValueStore());
    }

    @Override
    public int getAsInt() {
        return service.port(protocol);
    }

    @Override
    public void close() {
        service.close();
    }
}
