package io.slipstream.service.client;

import io.slipstream.core.thread.Patience;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.data.schema.Definitions;
import io.slipstream.service.host.Host;
import io.slipstream.service.net.MemoryLink;
import io.slipstream.service.protocol.ClientSchema;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Status;
import io.slipstream.service.security.Credentials;
import io.slipstream.service.security.Tls;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A client of a service. All methods may be called by any thread.
 *
 * <p>A future completes on the client's own thread, and so do the stages behind it that are not {@code Async}, unless
 * {@link Builder#completions} gives an executor for them. Nothing else is received while they run, so they must not
 * block: {@link #call}, {@link #query} and {@link #status} refuse to wait there. What they {@link #send} is taken also
 * if the window is full: it waits in a queue of up to 64 MiB, and goes before what other threads send.
 *
 * <p>There are three ways to send: {@link #call} blocks for the reply, {@link #send} returns a future, and
 * {@link #offer} allocates nothing and hands the answer to the {@link ReplyHandler}. As many commands may be under way
 * at once as the window has room for. A command is applied at most once, and at least once if its reply arrives, also
 * when the connection breaks and comes back in between.
 *
 * <p>A client has a thread of its own, which keeps the JVM alive until the client is closed, unless
 * {@link Builder#daemon} says otherwise.
 */
public final class ServiceClient implements AutoCloseable {
    private static final long BYE_NANOS = 1_000_000_000;
    private static final long BYE_PAUSE_NANOS = 50_000;

    private final ClientLink link;
    private final ClientThread thread;
    private final boolean hasOwnThread;
    private final Host machine;
    private final Outstanding outstanding;
    private final Duration timeout;

    private ServiceClient(Builder builder) throws IOException {
        ClientThread shared = builder.thread;
        this.timeout = builder.timeout;
        this.machine = shared == null ? builder.machine : shared.machine();
        // Before the thread takes a secret, so that a client of a simulated machine has its first one.
        long key = builder.session == 0 ? nextKey(machine) : builder.session;
        this.hasOwnThread = shared == null;
        this.thread = shared == null ? builder.ownThread() : shared;
        this.link = new ClientLink(
                thread,
                builder.service,
                builder.tls,
                builder.token,
                builder.schema,
                key,
                builder.session != 0,
                builder.connectTimeout,
                builder.reconnectTimeout,
                builder.windowBytes,
                builder.handler,
                builder.completions);
        this.outstanding = link.outstanding();
    }

    private void begin() {
        try {
            thread.loop().add(link);
        } catch (RejectedExecutionException e) {
            outstanding.close();
            throw e;
        }
        if (hasOwnThread) {
            thread.begin();
        }
    }

    /** Begins to describe a client of the service at {@code host} and {@code port}. */
    public static Builder builder(String host, int port) {
        return new Builder(host, port);
    }

    /**
     * Begins to describe a client of the service at {@code address}: {@code HOST:PORT}, or {@code ipc:NAME} for that of
     * this machine which has {@link io.slipstream.ipc.IpcChannel#named} as its door. Of several addresses with commas
     * between them, those of a cluster's members, the client uses one, and the next when that is lost.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public static Builder builder(String address) {
        return new Builder(Endpoint.all(address));
    }

    /**
     * Begins to describe a client that reaches the service of this machine behind {@code door} through shared memory;
     * see {@link io.slipstream.service.ServiceConfig#withSharedMemory}. Everything else is as with a host and port.
     */
    public static Builder builder(Path door) {
        return new Builder(List.of(new Endpoint("", 0, door)));
    }

    /** Connects with all defaults. */
    public static ServiceClient connect(String host, int port) throws IOException {
        return builder(host, port).connect();
    }

    /**
     * Sends a command and waits for its reply.
     *
     * @throws IllegalArgumentException if the payload is longer than the service takes; nothing was sent then
     * @throws BusyException           if the service refused it
     * @throws ServiceException        if it failed
     * @throws ConnectionLostException if its outcome cannot be known; the same after the client's timeout
     * @throws IllegalStateException   on the client's own thread, which would wait for itself; nothing was sent then
     */
    public Reply call(byte[] payload) {
        requireOtherThread();
        return await(send(payload));
    }

    /** As {@link #call(byte[])}, for a command that {@link #send(long, byte[])} takes. */
    public Reply call(long number, byte[] payload) {
        requireOtherThread();
        return await(send(number, payload));
    }

    /**
     * Sends a command; the future completes on the client's thread, or where {@link Builder#completions} says,
     * exceptionally as {@link #call} throws. While the window is full this waits for room up to the client's timeout,
     * but for the client's own thread, where the command waits in a queue.
     *
     * @throws IllegalArgumentException if the payload is longer than the service takes; nothing was sent then
     * @throws ConnectionLostException  if there was no room in time; nothing was sent then
     * @throws ServiceException         if the client is closed or has given up its connection
     * @throws IllegalStateException    if the client has a {@link Builder#session session} in which commands have
     *     numbers
     */
    public CompletableFuture<Reply> send(byte[] payload) {
        requireNumbers(false);
        return send(MessageType.COMMAND, 0, payload);
    }

    /**
     * As {@link #send(byte[])}, under a number of the caller's own, for a client with a {@link Builder#session
     * session}: of all commands that are sent under one number the service applies the first that it has room for, and
     * answers the others as that one was answered, or with {@link
     * io.slipstream.service.protocol.FailureCode#ALREADY_APPLIED} if it no longer keeps the answer. Whether the payload
     * is the same it does not look at. The future fails with a {@link BusyException} if this sending was refused, which
     * does not tell what became of one before.
     *
     * @param number from 1 on, and greater for later commands, best by 1: one that is more than 32,767 behind the
     *     greatest is refused with {@link io.slipstream.service.protocol.FailureCode#TOO_OLD}
     * @throws IllegalStateException if a command of that number is under way, or the client has no such session
     */
    public CompletableFuture<Reply> send(long number, byte[] payload) {
        requireNumbers(true);
        if (number < 1) {
            throw new IllegalArgumentException("the number of a command is at least 1, not " + number);
        }
        return send(MessageType.COMMAND, number, payload);
    }

    /**
     * As {@link #send}, but never waits for room: while the window is full, or what the client's own thread has sent
     * waits, it sends nothing.
     *
     * @return null if nothing was sent
     * @throws IllegalArgumentException if the payload is longer than the service takes; nothing was sent then
     * @throws ServiceException         if the client is closed or has given up its connection
     */
    public @Nullable CompletableFuture<Reply> trySend(byte[] payload) {
        requireNumbers(false);
        return trySend(MessageType.COMMAND, payload);
    }

    /** As {@link #trySend}, for a query. */
    public @Nullable CompletableFuture<Reply> tryQuery(byte[] payload) {
        return trySend(MessageType.QUERY, payload);
    }

    /** Asks the state machine a question and waits for the answer. */
    public Reply query(byte[] payload) {
        requireOtherThread();
        return await(send(MessageType.QUERY, 0, payload));
    }

    /** As {@link #send}, for a query. */
    public CompletableFuture<Reply> queryAsync(byte[] payload) {
        return send(MessageType.QUERY, 0, payload);
    }

    /** Asks the service how it is. */
    public Status status() {
        requireOtherThread();
        byte[] payload = await(send(MessageType.STATUS, 0, new byte[0])).payload();
        // A service of an older version says less.
        byte[] message = new byte[Message.HEADER_BYTES + Math.max(Status.BYTES, payload.length)];
        System.arraycopy(payload, 0, message, Message.HEADER_BYTES, payload.length);
        return Status.decode(MemorySegment.ofArray(message), 0);
    }

    /**
     * Sends a command without waiting and without allocating.
     *
     * @param attachment given back to the {@link ReplyHandler} with the answer
     * @return whether there was room for it
     * @throws IllegalArgumentException if the payload is longer than the service takes; nothing was sent then
     * @throws ServiceException if the client is closed or has given up its connection
     */
    public boolean offer(MemorySegment payload, long offset, int length, long attachment) {
        requireNumbers(false);
        return add(MessageType.COMMAND, 0, payload, offset, length, attachment, null);
    }

    /** As {@link #offer}, for a query. */
    public boolean offerQuery(MemorySegment payload, long offset, int length, long attachment) {
        return add(MessageType.QUERY, 0, payload, offset, length, attachment, null);
    }

    /**
     * Subscribes to a topic: the service first sends what is there, and then each item that is published, in order and
     * once, also across cuts of the connection. A second feed of a topic begins when the first one has ended.
     *
     * @throws ServiceException if the client is closed or has given up its connection
     */
    public Feed subscribe(long topic, FeedHandler handler) {
        return subscribe(topic, 0, 0, handler);
    }

    /**
     * As {@link #subscribe(long, FeedHandler)}, behind the item at that place, which was seen before. If the service no
     * longer keeps all that came since, it sends a snapshot.
     */
    public Feed subscribe(long topic, long sequence, int index, FeedHandler handler) {
        requireOpen();
        Feed feed = link.feeds().add(topic, sequence, index, handler);
        if (!isOpen()) {
            feed.close();
            requireOpen();
        }
        return feed;
    }

    /**
     * Returns the number that the service has given to the session; 0 before it has first welcomed the client. With a
     * {@link Builder#session} it is the same as long as the service remembers that session: another one says that what
     * became of earlier commands is no longer known.
     */
    public long session() {
        return link.session();
    }

    /** Returns whether the client can still send: it is not closed and has not given up its connection. */
    public boolean isOpen() {
        return link.terminal() == null && thread.isAlive();
    }

    /**
     * Returns whether the service has welcomed this client at some time: as long as it has not, nothing was sent of
     * what the client has taken.
     */
    public boolean wasConnected() {
        CompletableFuture<Void> welcome = link.firstWelcome();
        return welcome.isDone() && !welcome.isCompletedExceptionally();
    }

    /**
     * Ends the session, if the service can be reached, and the client. What is not answered fails. On the client's own
     * thread it only ends the client, as {@link #disconnect} does.
     */
    @Override
    public void close() {
        if (isOpen() && !link.isOwnThread()) {
            try {
                awaitBye(send(MessageType.BYE, 0, new byte[0]));
            } catch (ServiceException e) {
                // The service forgets a silent session by itself.
            }
        }
        disconnect();
    }

    /** Waits on the machine that it runs on, whose time may be simulated. */
    private void awaitBye(CompletableFuture<Reply> bye) {
        long begin = machine.nanoTime();
        while (!bye.isDone()
                && machine.nanoTime() - begin < BYE_NANOS
                && !Thread.currentThread().isInterrupted()) {
            machine.pause(BYE_PAUSE_NANOS);
        }
    }

    /** Ends the client and leaves the session behind, as a crash would. */
    public void disconnect() {
        boolean isOwnThread = link.isOwnThread();
        if (isOwnThread) {
            link.closeAtEnd();
        }
        if (hasOwnThread) {
            thread.close();
        } else {
            thread.end(link);
        }
        if (!isOwnThread) {
            outstanding.close();
        }
    }

    private CompletableFuture<Reply> send(short type, long number, byte[] payload) {
        CompletableFuture<Reply> future = new CompletableFuture<>();
        if (link.isOwnThread()) {
            sendWithoutWaiting(type, number, payload, future);
            return future;
        }
        MemorySegment memory = MemorySegment.ofArray(payload);
        long deadline = machine.nanoTime() + Patience.nanos(timeout);
        while (!link.backlog().isEmpty() || !add(type, number, memory, 0, payload.length, 0, future)) {
            requireOpen();
            if (machine.nanoTime() - deadline > 0) {
                throw new ConnectionLostException("there was no room in the client's window for " + seconds(timeout)
                        + "; the command was not sent");
            }
            machine.pause(10_000);
        }
        return failedIfEnded(future);
    }

    private @Nullable CompletableFuture<Reply> trySend(short type, byte[] payload) {
        CompletableFuture<Reply> future = new CompletableFuture<>();
        return link.backlog().isEmpty() && add(type, 0, MemorySegment.ofArray(payload), 0, payload.length, 0, future)
                ? failedIfEnded(future)
                : null;
    }

    /** A link that has ended since a message was added perhaps no longer looks for it, and perhaps has sent it. */
    private CompletableFuture<Reply> failedIfEnded(CompletableFuture<Reply> future) {
        ServiceException terminal = link.terminal();
        if (terminal != null) {
            future.completeExceptionally(wasConnected() ? ConnectionLostException.of(terminal) : terminal);
        }
        return future;
    }

    private void sendWithoutWaiting(short type, long number, byte[] payload, CompletableFuture<Reply> future) {
        Backlog backlog = link.backlog();
        if (backlog.isEmpty() && add(type, number, MemorySegment.ofArray(payload), 0, payload.length, 0, future)) {
            return;
        }
        requireLength(payload.length);
        requireOpen();
        if (!backlog.add(type, number, payload, future)) {
            throw new ConnectionLostException("the client's own thread has sent more than waits for the window: "
                    + Backlog.MAX_BYTES + " bytes; the command was not sent");
        }
    }

    private void requireNumbers(boolean has) {
        if (outstanding.isNumbered() != has) {
            throw new IllegalStateException(
                    has
                            ? "a command has a number only in a client that was built with a session"
                            : "this client was built with a session, in which each command has a number: use"
                                    + " send(number, payload)");
        }
    }

    private void requireOtherThread() {
        if (link.isOwnThread()) {
            throw new IllegalStateException("the client's own thread cannot wait for a reply, since it is the one that"
                    + " receives it; use send and a stage behind it, or give the client an executor for completions");
        }
    }

    private boolean add(
            short type,
            long number,
            MemorySegment payload,
            long offset,
            int length,
            long attachment,
            @Nullable CompletableFuture<?> future) {
        requireLength(length);
        requireOpen();
        return outstanding.add(type, number, payload, offset, length, attachment, future);
    }

    private void requireLength(int length) {
        int longest = link.maxPayloadLength();
        if (length < 0 || length > longest) {
            throw new IllegalArgumentException(
                    "this service takes payloads from 0 to " + longest + " bytes, not " + length);
        }
    }

    private void requireOpen() {
        ServiceException terminal = link.terminal();
        if (terminal != null) {
            throw new ServiceException(terminal.code(), String.valueOf(terminal.getMessage()));
        }
    }

    private Reply await(CompletableFuture<Reply> future) {
        try {
            return future.get(Patience.nanos(timeout), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConnectionLostException("interrupted while waiting for the reply; the outcome is unknown");
        } catch (TimeoutException e) {
            throw new ConnectionLostException("no reply within " + seconds(timeout) + "; the outcome is unknown");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ServiceException failure) {
                throw failure;
            }
            throw new CompletionException(e.getCause());
        }
    }

    private static long nextKey(Host machine) {
        long key;
        do {
            key = machine.secret();
        } while (key == 0);
        return key;
    }

    /** Returns how many seconds a time is, as text. */
    static String seconds(Duration time) {
        return BigDecimal.valueOf(time.getSeconds())
                        .add(BigDecimal.valueOf(time.getNano(), 9))
                        .stripTrailingZeros()
                        .toPlainString()
                + " s";
    }

    /** Describes a client. */
    public static final class Builder {
        private final List<Endpoint> service;
        private Host machine = Host.system();
        private Duration timeout = Duration.ofSeconds(10);
        private Duration connectTimeout = Duration.ofSeconds(30);
        private Duration reconnectTimeout = Duration.ofSeconds(30);
        private int windowBytes = 1 << 18;
        private boolean daemon;
        private WaitStrategy waiting = WaitStrategy.parking();
        private ReplyHandler handler = new IgnoringHandler();
        private @Nullable Executor completions;
        private @Nullable Tls tls;
        private byte[] token = new byte[0];
        private byte[] schema = new byte[0];
        private long session;
        private @Nullable ClientThread thread;
        private boolean describesThread;

        private Builder(String host, int port) {
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("a port is from 1 to 65535, not " + port);
            }
            this.service = List.of(new Endpoint(host, port, null));
        }

        private Builder(List<Endpoint> service) {
            this.service = service;
        }

        /**
         * Sets how long {@link #call} waits; 10 seconds by default.
         *
         * @throws IllegalArgumentException if that is not positive: no reply comes within no time
         */
        public Builder timeout(Duration timeout) {
            this.timeout = positive("the timeout of a call", Objects.requireNonNull(timeout, "timeout"));
            return this;
        }

        /**
         * Sets for how long the first connection is sought before everything fails; 30 seconds by default.
         *
         * @throws IllegalArgumentException if that is not positive: no connection is made within no time
         */
        public Builder connectTimeout(Duration connectTimeout) {
            this.connectTimeout =
                    positive("the connect timeout", Objects.requireNonNull(connectTimeout, "connectTimeout"));
            return this;
        }

        /**
         * Sets for how long a lost connection is sought again before everything fails; 30 seconds by default. With
         * zero, everything fails as soon as the connection is lost.
         *
         * @throws IllegalArgumentException if that is negative
         */
        public Builder reconnectTimeout(Duration reconnectTimeout) {
            if (Objects.requireNonNull(reconnectTimeout, "reconnectTimeout").isNegative()) {
                throw new IllegalArgumentException(
                        "the reconnect timeout must not be negative, but is " + reconnectTimeout);
            }
            this.reconnectTimeout = reconnectTimeout;
            return this;
        }

        private static Duration positive(String what, Duration time) {
            if (!time.isPositive()) {
                throw new IllegalArgumentException(what + " must be positive, but is " + time);
            }
            return time;
        }

        /**
         * Sets how many bytes may be under way; a power of two up to 1 MiB; 256 KiB by default. A payload takes up to
         * half of it. The service keeps a bounded number of bytes of replies for a client that comes back; a window
         * whose replies take more than that may find a resent command answered only with "was applied".
         */
        public Builder windowBytes(int windowBytes) {
            if (windowBytes < 4096 || windowBytes > Outstanding.MAX_BYTES || Integer.bitCount(windowBytes) != 1) {
                throw new IllegalArgumentException(
                        "a window is a power of two from 4096 to 1048576 bytes, not " + windowBytes);
            }
            this.windowBytes = windowBytes;
            return this;
        }

        /** Sets how the client's thread waits; by default it parks. */
        public Builder waiting(WaitStrategy waiting) {
            this.waiting = waiting;
            this.describesThread = true;
            return this;
        }

        /**
         * Lets the client share a thread with others, for a process that needs many sessions: each client takes a
         * window and a connection then, and no thread. How that thread waits, whether it is a daemon, and where it
         * takes time and sockets from, it has been told itself.
         */
        public Builder thread(ClientThread thread) {
            this.thread = Objects.requireNonNull(thread, "thread");
            return this;
        }

        private ClientThread ownThread() throws IOException {
            boolean hasDoor = service.stream().anyMatch(one -> one.door() != null);
            ClientThread.Builder own = ClientThread.builder("slipstream-client")
                    .machine(machine)
                    .waiting(hasDoor ? MemoryLink.waiting(waiting) : waiting);
            return (daemon ? own.daemon() : own).build();
        }

        /**
         * Lets the JVM end although the client is not closed: its thread is a daemon then. What is under way at that
         * moment may be applied or not.
         */
        public Builder daemon() {
            this.daemon = true;
            this.describesThread = true;
            return this;
        }

        /** Lets the client speak TLS; see {@link Tls#client}. */
        public Builder tls(Tls tls) {
            this.tls = tls;
            return this;
        }

        /** Sets the secret that shows who the client is; up to {@value Credentials#MAX_TOKEN_BYTES} bytes in UTF-8. */
        public Builder token(String token) {
            byte[] bytes = token.getBytes(StandardCharsets.UTF_8);
            if (bytes.length > Credentials.MAX_TOKEN_BYTES) {
                throw new IllegalArgumentException("a token has up to " + Credentials.MAX_TOKEN_BYTES + " bytes");
            }
            this.token = bytes;
            return this;
        }

        /**
         * Resumes the session of {@code key}, or opens it, so that a command is applied once also if its client has
         * ended before the answer came: the next one with that key sends it again, under its number ({@link
         * ServiceClient#send(long, byte[])}). Without this a session ends with its client.
         *
         * <p>{@link ServiceClient#disconnect} leaves the session as it is, and {@link ServiceClient#close} ends it. Of
         * two clients with one key the later one has the session, and the other one ends. Events that the service keeps
         * come again. A service remembers a number of sessions ({@link
         * io.slipstream.service.ServiceLimits#withClients}), and forgets the one that was without a client for longest;
         * see {@link ServiceClient#session}.
         *
         * @param key that nobody else uses or can guess, not 0
         */
        public Builder session(long key) {
            if (key == 0) {
                throw new IllegalArgumentException("the key of a session must not be 0");
            }
            this.session = key;
            return this;
        }

        /**
         * Sets what the records of this client look like. A service that has records and would misread these, or whose
         * own this client would misread, refuses it: with {@link
         * io.slipstream.service.protocol.FailureCode#OTHER_SCHEMA}, before anything else is sent. A service that is
         * older, or does not describe its records, takes it. Definitions of more than {@value
         * ClientSchema#MAX_TEXT_BYTES} bytes, or of more than the service takes, are not compared.
         */
        public Builder schema(Definitions definitions) {
            String text = definitions.toString();
            this.schema = text.length() > ClientSchema.MAX_TEXT_BYTES
                    ? new byte[0]
                    : ClientSchema.encode(definitions.fingerprint(), text);
            return this;
        }

        /** Sets who gets the answers to what is offered, and the events. */
        public Builder handler(ReplyHandler handler) {
            this.handler = handler;
            return this;
        }

        /**
         * Sets where futures complete, and the stages behind them; by default on the client's own thread, which is
         * faster, and where a stage must not block. A {@link ReplyHandler} and feeds stay on the client's thread, and
         * so does a completion that the executor rejects.
         */
        public Builder completions(Executor executor) {
            this.completions = executor;
            return this;
        }

        /** Sets what the client takes time, sockets and its thread from; by default the machine that it runs on. */
        public Builder machine(Host machine) {
            this.machine = machine;
            this.describesThread = true;
            return this;
        }

        /**
         * Begins to connect, and does not wait for that: what is sent meanwhile goes out when there is a connection,
         * and fails if there is none within {@link #connectTimeout}.
         *
         * @throws IOException           if there is no selector
         * @throws IllegalStateException if the client shares a {@link #thread}, and was also told how its own would be
         * @throws java.util.concurrent.RejectedExecutionException if that thread was closed
         */
        public ServiceClient begin() throws IOException {
            if (thread != null && describesThread) {
                throw new IllegalStateException("a client on a thread that it shares waits as that thread does, on its"
                        + " machine: set waiting, daemon and machine where the thread is built");
            }
            ServiceClient client = new ServiceClient(this);
            client.begin();
            return client;
        }

        /**
         * Connects.
         *
         * @throws IOException if the service cannot be reached or does not want this client; the message says why
         */
        public ServiceClient connect() throws IOException {
            ServiceClient client = begin();
            try {
                client.link.firstWelcome().get(Patience.nanos(connectTimeout), TimeUnit.NANOSECONDS);
                return client;
            } catch (ExecutionException e) {
                client.disconnect();
                Throwable cause = e.getCause() == null ? e : e.getCause();
                throw new IOException(cause.getMessage(), cause);
            } catch (TimeoutException e) {
                String error = client.link.noFirstConnection();
                client.disconnect();
                throw new IOException(error, e);
            } catch (InterruptedException e) {
                client.disconnect();
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while connecting to " + Endpoint.text(service), e);
            }
        }
    }

    /** For a client that only calls. */
    private static final class IgnoringHandler implements ReplyHandler {
        @Override
        public void onReply(long attachment, long sequence, MemorySegment memory, long offset, int length) {}

        @Override
        public void onFailure(long attachment, ServiceException failure) {}

        @Override
        public void onBusy(long attachment, long retryAfterNanos) {}
    }
}
