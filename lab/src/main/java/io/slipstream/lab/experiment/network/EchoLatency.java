package io.slipstream.lab.experiment.network;

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
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** B24: the latency of an echo with blocking and with asynchronous channels. */
public final class EchoLatency implements Experiment {
    private static final double[] PERCENTILES = {50, 90, 99, 99.9};
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @Override
    public Card card() {
        return Card.of("B24", "NIO against asynchronous NIO", Group.NETWORK)
                .question("Is an echo over loopback faster with a blocking SocketChannel or with an"
                        + " AsynchronousSocketChannel?")
                .reported(
                        "Futures against blocking",
                        "the source breaks off before its result",
                        "August 2011",
                        "futures",
                        50,
                        "latency µs")
                .plot(Plot.percentiles("latency µs"))
                .leavesToFull("handlers of completions in the place of futures")
                .takes(Duration.ofSeconds(10), Duration.ofMinutes(8))
                .rule("The source tells no result, so the line is ours: holds when the median echo takes at most 1.05"
                        + " times as long with blocking channels as with futures.")
                .explanation("""
                    A blocking read sleeps in the kernel and is woken by it. The asynchronous channel waits in
                    epoll on a thread of its own, reads, and hands the result to a handler: the same wake-up and
                    some more steps. It serves many connections with few threads, which is its point; it is no way
                    to low latency. The article waits for futures, which wakes one thread more; handlers stand
                    beside that.

                    Each echo here starts when the one before has ended (one outstanding), so a slow echo delays
                    the next: the percentiles are those of a polite client, not of an arrival rate.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int echoes = plan.count("echoes", 10, 4_000, 200_000);
        plan.add("blocking", () -> new Blocking(echoes)).warmUp(Duration.ofSeconds(1));
        plan.add("futures", () -> new Futures(echoes)).warmUp(Duration.ofSeconds(1));
        if (plan.isComplete()) {
            plan.add("handlers", () -> new Asynchronous(echoes)).warmUp(Duration.ofSeconds(1));
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return found.ratio("latency µs", "blocking", 50, "futures", 50)
                .atMost(1.05, "Median echo, blocking against futures:");
    }

    /** Sends a number, waits for it to come back, and sends the next. */
    private abstract static class Echoes implements Workload {
        final ByteBuffer message = ByteBuffer.allocateDirect(Long.BYTES);
        final int count;

        Echoes(int count) {
            this.count = count;
        }

        /** Records the time of each of {@code count} echoes, and checks what came back. */
        abstract void echo(Histogram nanos) throws Exception;

        @Override
        public final void run(Round round) throws Exception {
            Histogram nanos = new Histogram(3);
            echo(nanos);
            for (double percentile : PERCENTILES) {
                round.record("latency µs", Figure.show(percentile), nanos.getValueAtPercentile(percentile) / 1e3);
            }
            round.check("echoes", count, nanos.getTotalCount());
        }
    }

    private static final class Blocking extends Echoes {
        private final SocketChannel client;

        Blocking(int count) throws IOException {
            super(count);
            Loopback.require();
            try (ServerSocketChannel acceptor = ServerSocketChannel.open().bind(LOOPBACK)) {
                client = SocketChannel.open(acceptor.getLocalAddress());
                SocketChannel accepted = acceptor.accept();
                client.setOption(StandardSocketOptions.TCP_NODELAY, true);
                accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
                Thread server = new Thread(() -> serve(accepted), "echo-server");
                server.setDaemon(true);
                server.start();
            }
        }

        /** Sends back whatever arrives, until the other end closes. */
        private static void serve(SocketChannel accepted) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(64);
            try (accepted) {
                while (accepted.read(buffer.clear()) >= 0) {
                    buffer.flip();
                    while (buffer.hasRemaining()) {
                        accepted.write(buffer);
                    }
                }
            } catch (IOException e) {
                // The experiment is over and closed its end.
            }
        }

        @Override
        void echo(Histogram nanos) throws IOException {
            for (int i = 0; i < count; i++) {
                long start = System.nanoTime();
                message.clear().putLong(i).flip();
                while (message.hasRemaining()) {
                    client.write(message);
                }
                message.clear();
                while (message.hasRemaining()) {
                    if (client.read(message) < 0) {
                        throw new EOFException("the echo server closed the connection");
                    }
                }
                nanos.recordValue(System.nanoTime() - start);
                Round.expect("echo", i, message.flip().getLong());
            }
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }

    /** The client waits for a future, as in the article; the server is that of the handlers. */
    private static final class Futures extends Echoes {
        private final Asynchronous ends;

        Futures(int count) throws IOException, InterruptedException, ExecutionException {
            super(count);
            ends = new Asynchronous(count);
        }

        @Override
        void echo(Histogram nanos) throws Exception {
            for (int i = 0; i < count; i++) {
                long start = System.nanoTime();
                message.clear().putLong(i).flip();
                while (message.hasRemaining()) {
                    ends.client.write(message).get();
                }
                message.clear();
                while (message.hasRemaining()) {
                    if (ends.client.read(message).get() < 0) {
                        throw new EOFException("the echo server closed the connection");
                    }
                }
                nanos.recordValue(System.nanoTime() - start);
                Round.expect("echo", i, message.flip().getLong());
            }
        }

        @Override
        public void close() throws IOException {
            ends.close();
        }
    }

    /** The handler of a completion starts what comes next, at both ends; no thread waits for a result. */
    private static final class Asynchronous extends Echoes {
        private final AsynchronousChannelGroup clients = group("echo-client");
        private final AsynchronousChannelGroup servers = group("echo-server");
        private final AsynchronousSocketChannel client = AsynchronousSocketChannel.open(clients);

        Asynchronous(int count) throws IOException, InterruptedException, ExecutionException {
            super(count);
            Loopback.require();
            try (AsynchronousServerSocketChannel acceptor =
                    AsynchronousServerSocketChannel.open(servers).bind(LOOPBACK)) {
                client.connect(acceptor.getLocalAddress()).get();
                AsynchronousSocketChannel accepted = acceptor.accept().get();
                client.setOption(StandardSocketOptions.TCP_NODELAY, true);
                accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
                serve(accepted, ByteBuffer.allocateDirect(64));
            }
        }

        /** A thread for each end, as with blocking channels; a common one would meet itself. */
        private static AsynchronousChannelGroup group(String name) throws IOException {
            return AsynchronousChannelGroup.withFixedThreadPool(1, task -> {
                Thread thread = new Thread(task, name);
                thread.setDaemon(true);
                return thread;
            });
        }

        private static void serve(AsynchronousSocketChannel accepted, ByteBuffer buffer) {
            accepted.read(buffer.clear(), null, new Step(end -> close(accepted)) {
                @Override
                void proceed() {
                    buffer.flip();
                    accepted.write(buffer, null, new Step(end -> close(accepted)) {
                        @Override
                        void proceed() {
                            if (buffer.hasRemaining()) {
                                accepted.write(buffer, null, this);
                            } else {
                                serve(accepted, buffer);
                            }
                        }
                    });
                }
            });
        }

        private static void close(AsynchronousSocketChannel channel) {
            try {
                channel.close();
            } catch (IOException e) {
                // It is gone, which is all that was wanted.
            }
        }

        @Override
        void echo(Histogram nanos) throws Exception {
            CompletableFuture<Void> done = new CompletableFuture<>();
            next(0, nanos, done);
            done.get();
        }

        private void next(int i, Histogram nanos, CompletableFuture<Void> done) {
            if (i == count) {
                done.complete(null);
                return;
            }
            long start = System.nanoTime();
            client.write(message.clear().putLong(i).flip(), null, new Step(done::completeExceptionally) {
                @Override
                void proceed() {
                    if (message.hasRemaining()) {
                        client.write(message, null, this);
                        return;
                    }
                    client.read(message.clear(), null, new Step(done::completeExceptionally) {
                        @Override
                        void proceed() {
                            if (message.hasRemaining()) {
                                client.read(message, null, this);
                                return;
                            }
                            nanos.recordValue(System.nanoTime() - start);
                            Round.expect("echo", i, message.flip().getLong());
                            next(i + 1, nanos, done);
                        }
                    });
                }
            });
        }

        @Override
        public void close() throws IOException {
            clients.shutdownNow();
            servers.shutdownNow();
        }
    }

    /** What to do when a read or a write has been completed. */
    private abstract static class Step implements CompletionHandler<Integer, @Nullable Void> {
        private final Consumer<Throwable> failure;

        Step(Consumer<Throwable> failure) {
            this.failure = failure;
        }

        abstract void proceed();

        @Override
        public final void completed(Integer bytes, @Nullable Void attachment) {
            if (bytes < 0) {
                failure.accept(new EOFException("the other end closed the connection"));
                return;
            }
            try {
                proceed();
            } catch (RuntimeException e) {
                failure.accept(e);
            }
        }

        @Override
        public final void failed(Throwable reason, @Nullable Void attachment) {
            failure.accept(reason);
        }
    }
}
