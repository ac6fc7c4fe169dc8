package io.slipstream.lab.load;

import io.slipstream.lab.Crew;
import io.slipstream.lab.Sample;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Threads that each send a message to a {@link NioServer} and wait for the reply, one call after the other, for a given
 * time.
 */
public final class BlockingClients {
    private static final int TENTHS = 10;

    private final InetSocketAddress server;
    private final int threads;
    private final boolean noDelay;
    private final boolean pooled;
    private boolean headerApart;

    /**
     * Clients that do nothing yet.
     *
     * @param noDelay TCP_NODELAY of the clients
     * @param pooled whether a thread keeps its connection, or opens one for every call
     */
    public BlockingClients(InetSocketAddress server, int threads, boolean noDelay, boolean pooled) {
        this.server = server;
        this.threads = threads;
        this.noDelay = noDelay;
        this.pooled = pooled;
    }

    /** Header and payload leave with a write each, as from a client that frames what it is given. */
    public BlockingClients headerApart() {
        headerApart = true;
        return this;
    }

    /**
     * Calls and the time they took together, as the callers saw it.
     *
     * @param errors calls that failed, and connections that could not be opened again after that
     * @param connectNanos what opening connections took together
     * @param connects connections that were opened
     * @param perSecondByTenths answered calls a second, in each tenth of the time
     */
    public record Calls(
            long count,
            long errors,
            long sumNanos,
            long connectNanos,
            long connects,
            long elapsedNanos,
            Sample perSecondByTenths) {
        /** The mean time of opening a connection. */
        public double connectMillis() {
            return connects == 0 ? 0 : connectNanos / 1e6 / connects;
        }

        public double perSecond() {
            return count * 1e9 / elapsedNanos;
        }

        public double standardDeviation() {
            return perSecondByTenths.standardDeviation();
        }

        public double meanMillis() {
            return count == 0 ? 0 : sumNanos / 1e6 / count;
        }
    }

    public Calls run(long durationNanos) throws Exception {
        AtomicLongArray answered = new AtomicLongArray(TENTHS);
        LongAdder errors = new LongAdder();
        LongAdder sum = new LongAdder();
        LongAdder connecting = new LongAdder();
        LongAdder connects = new LongAdder();
        long elapsed = Crew.run(threads, member -> {
            long began = System.nanoTime();
            byte[] message = new byte[NioServer.MESSAGE_BYTES];
            Socket socket = null;
            try {
                for (long start = began; start - began < durationNanos; start = System.nanoTime()) {
                    try {
                        if (socket == null) {
                            socket = connect();
                            connecting.add(System.nanoTime() - start);
                            connects.increment();
                        }
                        call(socket, message);
                        long now = System.nanoTime();
                        sum.add(now - start);
                        answered.incrementAndGet((int) Math.min(TENTHS - 1, (now - began) * TENTHS / durationNanos));
                        if (!pooled) {
                            socket.close();
                            socket = null;
                        }
                    } catch (IOException e) {
                        errors.increment();
                        if (socket != null) {
                            socket.close();
                            socket = null;
                        }
                    }
                }
            } finally {
                if (socket != null) {
                    socket.close();
                }
            }
        });
        long count = 0;
        double[] perSecond = new double[TENTHS];
        for (int i = 0; i < TENTHS; i++) {
            count += answered.get(i);
            perSecond[i] = answered.get(i) * 1e9 * TENTHS / durationNanos;
        }
        return new Calls(
                count, errors.sum(), sum.sum(), connecting.sum(), connects.sum(), elapsed, Sample.of(perSecond));
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.setTcpNoDelay(noDelay);
        socket.connect(server, 5_000);
        socket.setSoTimeout(10_000);
        return socket;
    }

    private void call(Socket socket, byte[] message) throws IOException {
        OutputStream out = socket.getOutputStream();
        if (headerApart) {
            out.write(message, 0, NioServer.HEADER_BYTES);
            out.write(message, NioServer.HEADER_BYTES, NioServer.PAYLOAD_BYTES);
        } else {
            out.write(message);
        }
        InputStream in = socket.getInputStream();
        for (byte expected : NioServer.REPLY) {
            if (in.read() != expected) {
                throw new EOFException("the server closed the connection or answered something else");
            }
        }
    }
}
