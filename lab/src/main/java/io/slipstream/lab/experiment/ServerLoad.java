package io.slipstream.lab.experiment;

import io.slipstream.lab.Round;
import io.slipstream.lab.Workload;
import io.slipstream.lab.load.BlockingClients;
import io.slipstream.lab.load.NioServer;
import java.io.IOException;

/** The single-threaded server and its clients as a workload. */
final class ServerLoad implements Workload {
    private final NioServer server;
    private final BlockingClients clients;
    private final long nanos;
    private long answered;

    private ServerLoad(NioServer server, BlockingClients clients, long nanos) {
        this.server = server;
        this.clients = clients;
        this.nanos = nanos;
    }

    /** Clients that keep their connections. */
    static ServerLoad pooled(int receiveBufferBytes, int clients, boolean noDelay, long nanos) throws IOException {
        NioServer server = new NioServer(receiveBufferBytes);
        return new ServerLoad(server, new BlockingClients(server.address(), clients, noDelay, true), nanos);
    }

    /** Clients that keep their connections and write header and payload apart. */
    static ServerLoad headerApart(int clients, boolean noDelay, long nanos) throws IOException {
        NioServer server = new NioServer(0);
        return new ServerLoad(
                server, new BlockingClients(server.address(), clients, noDelay, true).headerApart(), nanos);
    }

    /** Clients that open a connection for every call. */
    static ServerLoad connecting(int clients, long nanos) throws IOException {
        NioServer server = new NioServer(0);
        return new ServerLoad(server, new BlockingClients(server.address(), clients, true, false), nanos);
    }

    @Override
    public void run(Round round) throws Exception {
        TcpSegments before = TcpSegments.now();
        BlockingClients.Calls calls = clients.run(nanos);
        TcpSegments during = TcpSegments.now().since(before);
        answered += calls.count();
        round.check("errors", 0, calls.errors());
        round.record("calls/s", calls.perSecond());
        round.record("mean call ms", calls.meanMillis());
        round.record("segments/call", (double) during.all() / Math.max(1, calls.count()));
        round.record("bare ACKs %", 100.0 * during.bareAcks() / Math.max(1, during.all()));
        // Three segments open a connection.
        round.record("handshake %", 100.0 * 3 * during.opened() / Math.max(1, during.all()));
    }

    @Override
    public void close() {
        server.close();
        if (server.served() < answered) {
            throw new IllegalStateException(
                    "the server answered " + server.served() + " calls, the clients had " + answered);
        }
    }
}
