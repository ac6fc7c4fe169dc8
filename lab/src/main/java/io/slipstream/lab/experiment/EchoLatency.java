package io.slipstream.lab.experiment;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import io.slipstream.lab.load.Loopback;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.HdrHistogram.Histogram;

/** B24: the latency of an echo with blocking and with asynchronous channels. */
final class EchoLatency implements Experiment {
    private static final double[] PERCENTILES = {50, 90, 99, 99.9};

    @Override
    public Card card() {
        return Card.of("B24", "NIO against asynchronous NIO", Group.NETWORK)
                .question("Is an echo over loopback faster with a blocking SocketChannel or with an"
                        + " AsynchronousSocketChannel?")
                .reported("Plain NIO", "at least as fast", "2012", "blocking", 50, "latency µs")
                .plot(Plot.percentiles("latency µs"))
                .takes(Duration.ofSeconds(8), Duration.ofMinutes(10))
                .rule("Holds when the median echo takes at most 1.05 times as long with blocking channels as with"
                        + " asynchronous ones.")
                .explanation("""
                        A blocking read sleeps in the kernel and is woken by it. The asynchronous channel waits in
                        epoll on a thread of its own, reads, and hands the result to a handler: the same wake-up and
                        some more steps. It serves many connections with few threads, which is its point; it is no way
                        to low latency.

                        Each echo here starts when the one before has ended (one outstanding), so a slow echo delays
                        the next: the percentiles are those of a polite client, not of an arrival rate.""");
    }

    @Override
    public void plan(Plan plan) {
        int echoes = plan.count(10, 4_000, 200_000);
        plan.add("blocking", () -> new Echoes(new BlockingServer(), echoes));
        plan.add("asynchronous", () -> new Echoes(new AsynchronousServer(), echoes));
    }

    @Override
    public Verdict judge(Findings found) {
        return found.ratio("latency µs", "blocking", 50, "asynchronous", 50)
                .atMost(1.05, "Median echo, blocking against asynchronous:");
    }

    private interface Server extends Closeable {
        /** Both ends use the same kind of channel. */
        Peer connect() throws IOException;
    }

    private interface Peer extends Closeable {
        int read(ByteBuffer into) throws Exception;

        void write(ByteBuffer from) throws Exception;
    }

    private static final class Echoes implements Workload {
        private final Server server;
        private final Peer peer;
        private final int count;
        private final ByteBuffer message = ByteBuffer.allocateDirect(8);

        Echoes(Server server, int count) throws IOException {
            Loopback.require();
            this.server = server;
            this.count = count;
            peer = server.connect();
        }

        @Override
        public void run(Round round) throws Exception {
            Histogram nanos = new Histogram(3);
            for (int i = 0; i < count; i++) {
                long start = System.nanoTime();
                message.clear().putLong(i).flip();
                while (message.hasRemaining()) {
                    peer.write(message);
                }
                message.clear();
                while (message.hasRemaining()) {
                    if (peer.read(message) < 0) {
                        throw new EOFException("the echo server closed the connection");
                    }
                }
                nanos.recordValue(System.nanoTime() - start);
                round.check("echo", i, message.flip().getLong());
            }
            for (double percentile : PERCENTILES) {
                round.record("latency µs", Figure.show(percentile), nanos.getValueAtPercentile(percentile) / 1e3);
            }
        }

        @Override
        public void close() throws IOException {
            peer.close();
            server.close();
        }
    }

    /** Sends back whatever arrives, until the other end closes. */
    private static void echo(Peer peer) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        try (peer) {
            while (peer.read(buffer.clear()) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    peer.write(buffer);
                }
            }
        } catch (Exception e) {
            // The experiment is over and closed its end.
        }
    }

    private static final class BlockingServer implements Server {
        private final ServerSocketChannel acceptor =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

        BlockingServer() throws IOException {}

        @Override
        public Peer connect() throws IOException {
            SocketChannel client = SocketChannel.open(acceptor.getLocalAddress());
            SocketChannel accepted = acceptor.accept();
            start(peer(accepted));
            return peer(client);
        }

        private static Peer peer(SocketChannel channel) throws IOException {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new Peer() {
                @Override
                public int read(ByteBuffer into) throws IOException {
                    return channel.read(into);
                }

                @Override
                public void write(ByteBuffer from) throws IOException {
                    channel.write(from);
                }

                @Override
                public void close() throws IOException {
                    channel.close();
                }
            };
        }

        @Override
        public void close() throws IOException {
            acceptor.close();
        }
    }

    private static final class AsynchronousServer implements Server {
        private final AsynchronousServerSocketChannel acceptor =
                AsynchronousServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

        AsynchronousServer() throws IOException {}

        @Override
        public Peer connect() throws IOException {
            try {
                AsynchronousSocketChannel client = AsynchronousSocketChannel.open();
                // Where it cannot connect this fails, and there is nothing to wait for at the other end.
                client.connect(acceptor.getLocalAddress()).get();
                AsynchronousSocketChannel accepted = acceptor.accept().get();
                start(peer(accepted));
                return peer(client);
            } catch (InterruptedException | ExecutionException e) {
                throw new IOException("could not connect to the own server", e);
            }
        }

        private static Peer peer(AsynchronousSocketChannel channel) throws IOException {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new Peer() {
                @Override
                public int read(ByteBuffer into) throws Exception {
                    return channel.read(into).get();
                }

                @Override
                public void write(ByteBuffer from) throws Exception {
                    channel.write(from).get();
                }

                @Override
                public void close() throws IOException {
                    channel.close();
                }
            };
        }

        @Override
        public void close() throws IOException {
            acceptor.close();
        }
    }

    private static void start(Peer accepted) {
        Thread thread = new Thread(() -> echo(accepted), "echo-server");
        thread.setDaemon(true);
        thread.start();
    }
}
