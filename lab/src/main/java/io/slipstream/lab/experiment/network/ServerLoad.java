package io.slipstream.lab.experiment.network;

import io.slipstream.lab.Round;
import io.slipstream.lab.Workload;
import io.slipstream.lab.load.BlockingClients;
import io.slipstream.lab.load.NioServer;
import java.io.IOException;
import java.time.Duration;

/** The single-threaded server and its clients as a workload. */
public final class ServerLoad implements Workload {
    /** Sockets bring much code, which is not compiled sooner. */
    public static final Duration WARM_UP = Duration.ofMillis(1_200);

    private final NioServer server;
    private final BlockingClients clients;
    private final long nanos;
    private long answered;

    private ServerLoad(NioServer server, BlockingClients clients, long nanos) {
        this.server = server;
        this.clients = clients;
        this.nanos = nanos;
    }

    /**
     * Clients that write a message with one write.
     *
     * @param receiveBufferBytes SO_RCVBUF of the server, or 0 to leave it to the system
     * @param kept whether they keep their connections, or open one for every call
     */
    public static ServerLoad of(int receiveBufferBytes, int clients, boolean noDelay, boolean kept, long nanos)
            throws IOException {
        NioServer server = new NioServer(receiveBufferBytes);
        return new ServerLoad(server, new BlockingClients(server.address(), clients, noDelay, kept), nanos);
    }

    /** Clients that write header and payload apart. */
    public static ServerLoad headerApart(int clients, boolean noDelay, boolean kept, long nanos) throws IOException {
        NioServer server = new NioServer(0);
        return new ServerLoad(
                server, new BlockingClients(server.address(), clients, noDelay, kept).headerApart(), nanos);
    }

    @Override
    public void run(Round round) throws Exception {
        run(round, "");
    }

    /** As {@link #run(Round)}, one of several loads in a round, whose figures are recorded at this x. */
    public void run(Round round, Object x) throws Exception {
        TcpSegments before = TcpSegments.now();
        BlockingClients.Calls calls = clients.run(nanos);
        TcpSegments after = TcpSegments.now();
        answered += calls.count();
        if (calls.count() == 0) {
            throw new IllegalStateException("no call was answered, and " + calls.errors() + " failed");
        }
        record(round, "calls/s", x, calls.perSecond());
        record(round, "sd of calls/s", x, calls.standardDeviation());
        record(round, "mean call ms", x, calls.meanMillis());
        record(round, "connect ms", x, calls.connectMillis());
        record(round, "errors", x, calls.errors());
        if (before != null && after != null) {
            TcpSegments during = after.since(before);
            double all = Math.max(1, during.all());
            record(round, "segments/call", x, all / calls.count());
            record(round, "bare ACKs %", x, 100 * during.bareAcks() / all);
            // Three segments open a connection.
            record(round, "handshake %", x, 100 * 3 * during.opened() / all);
        }
    }

    private static void record(Round round, String metric, Object x, double value) {
        if ("".equals(x)) {
            round.record(metric, value);
        } else {
            round.record(metric, x, value);
        }
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
