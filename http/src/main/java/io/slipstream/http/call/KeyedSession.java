package io.slipstream.http.call;

import io.slipstream.core.frame.Frame;
import io.slipstream.http.config.Upstream;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.protocol.Busy;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Welcome;
import io.slipstream.service.security.Tls;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a session whose key and whose correlations others have chosen. Any thread sends, and never waits: a
 * virtual thread connects and writes, another one receives. What the service has kept for the session comes again with
 * each connection, so a repeated command gets the reply that it had.
 */
final class KeyedSession implements AutoCloseable {
    private static final int CONNECT_MILLIS = 5_000;
    private static final long RETRY_NANOS = 1_000_000_000;
    private static final int MOST_UNWRITTEN_BYTES = 1 << 22;
    /** Wakes the writer at the end. */
    private static final ByteBuffer LAST = ByteBuffer.allocate(0);

    private record Waiting(byte[] payload, CompletableFuture<Reply> reply) {}

    private final Upstream service;
    private final Socket socket = new Socket();
    private final BlockingQueue<ByteBuffer> unwritten = new LinkedBlockingQueue<>();
    private final AtomicLong unwrittenBytes = new AtomicLong();
    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
    private final List<Long> early = new ArrayList<>();
    private int longestFrame;
    private final Consumer<ServiceException> notLetIn;

    /** Nothing is sent before: until then the outcome of each command is known. */
    private volatile boolean welcome;

    private volatile @Nullable RuntimeException ended;

    private KeyedSession(Upstream service, Consumer<ServiceException> notLetIn) {
        this.service = service;
        this.notLetIn = notLetIn;
    }

    /**
     * Begins to connect, and to ask for the session of that key.
     *
     * @param number   of the connection, greater than those before
     * @param notLetIn gets the reason if the service does not let the gateway in
     */
    static KeyedSession open(Upstream service, long key, long number, Consumer<ServiceException> notLetIn) {
        KeyedSession session = new KeyedSession(service, notLetIn);
        Thread.ofVirtual().name("http-session-out").start(() -> session.connectAndWrite(key, number));
        return session;
    }

    private void connectAndWrite(long key, long number) {
        try {
            socket.setTcpNoDelay(true);
            socket.connect(service.address(), CONNECT_MILLIS);
            Tls tls = service.tls();
            Socket speaking =
                    tls == null ? socket : tls.over(socket, service.address().getHostString());
            OutputStream out = speaking.getOutputStream();
            InputStream in = speaking.getInputStream();
            write(out, hello(key, number, service.token()));
            Thread.ofVirtual().name("http-session-in").start(() -> receive(in));
            while (isOpen()) {
                ByteBuffer frame = unwritten.take();
                write(out, frame);
                unwrittenBytes.addAndGet(-frame.limit());
            }
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            fail(e);
        } catch (InterruptedException e) {
            lost("the gateway has closed the connection");
        }
    }

    private static void write(OutputStream out, ByteBuffer frame) throws IOException {
        out.write(frame.array(), 0, frame.limit());
    }

    private static ByteBuffer hello(long key, long number, @Nullable String token) {
        byte[] secret = token == null ? new byte[0] : token.getBytes(StandardCharsets.UTF_8);
        int length = Message.HEADER_BYTES + Hello.BYTES + secret.length;
        ByteBuffer hello = ByteBuffer.allocate(Frame.align(length));
        MemorySegment memory = MemorySegment.ofBuffer(hello);
        Hello.encode(memory, 0, key, 0, 0);
        Message.correlation(memory, 0, number);
        Frame.length(memory, 0, length);
        MemorySegment.copy(secret, 0, memory, ValueLayout.JAVA_BYTE, Message.HEADER_BYTES + Hello.BYTES, secret.length);
        return hello;
    }

    boolean isOpen() {
        return ended == null;
    }

    boolean isIdle() {
        return waiting.isEmpty();
    }

    /** Sends a command, or waits with whoever has sent the same under that number and has no answer yet. */
    CompletableFuture<Reply> send(long number, byte[] payload) {
        Waiting mine = new Waiting(payload, new CompletableFuture<>());
        Waiting other = waiting.putIfAbsent(number, mine);
        if (other != null) {
            return Arrays.equals(payload, other.payload)
                    ? other.reply.copy()
                    : CompletableFuture.failedFuture(new ServiceException(
                            FailureCode.ALREADY_APPLIED,
                            "another command is under way under the same idempotency key"));
        }
        synchronized (early) {
            if (longestFrame == 0) {
                early.add(number);
            } else {
                write(number, payload);
            }
        }
        RuntimeException why = ended;
        if (why != null) {
            failAll(why);
        }
        return mine.reply.copy();
    }

    @Override
    public void close() {
        lost("the gateway needed the connection for others");
    }

    /** The session is there: what was sent before goes out, in the order in which it came. */
    private void welcomed(int longest) {
        welcome = true;
        synchronized (early) {
            longestFrame = longest;
            for (long number : early) {
                Waiting each = waiting.get(number);
                if (each != null) {
                    write(number, each.payload);
                }
            }
            early.clear();
        }
    }

    private void write(long number, byte[] payload) {
        int length = Message.HEADER_BYTES + payload.length;
        if (length > longestFrame) {
            fail(
                    number,
                    new ServiceException(
                            FailureCode.TOO_LONG,
                            "the service takes payloads of at most " + (longestFrame - Message.HEADER_BYTES)
                                    + " bytes; this command has " + payload.length));
            return;
        }
        ByteBuffer frame = ByteBuffer.allocate(Frame.align(length));
        MemorySegment memory = MemorySegment.ofBuffer(frame);
        Message.header(memory, 0, MessageType.COMMAND, payload.length, 0, number);
        MemorySegment.copy(payload, 0, memory, ValueLayout.JAVA_BYTE, Message.HEADER_BYTES, payload.length);
        if (unwrittenBytes.addAndGet(frame.limit()) > MOST_UNWRITTEN_BYTES && !unwritten.isEmpty()) {
            unwrittenBytes.addAndGet(-frame.limit());
            fail(number, refusal("the session of this idempotency key has more to send than the service takes"));
        } else {
            unwritten.add(frame);
        }
    }

    private void receive(InputStream in) {
        try {
            ByteBuffer header = ByteBuffer.allocate(Message.HEADER_BYTES);
            while (isOpen()) {
                fill(in, header.clear());
                int length = Frame.length(MemorySegment.ofBuffer(header.flip()), 0);
                if (length < Message.HEADER_BYTES || length > Message.MAX_OUTPUT_BYTES) {
                    throw new IOException("a frame of " + length + " bytes cannot be");
                }
                ByteBuffer frame = ByteBuffer.allocate(Frame.align(length)).put(header);
                fill(in, frame);
                onFrame(MemorySegment.ofBuffer(frame.flip()), length);
            }
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            // A reply may be longer than what is left of the memory: who waits for it must not wait in vain.
            fail(e);
        }
    }

    private static void fill(InputStream in, ByteBuffer buffer) throws IOException {
        int read = in.readNBytes(buffer.array(), buffer.position(), buffer.remaining());
        if (read < buffer.remaining()) {
            throw new EOFException("the service has closed the connection");
        }
        buffer.position(buffer.limit());
    }

    private void onFrame(MemorySegment frame, int length) {
        long number = Message.correlation(frame, 0);
        switch (Message.type(frame, 0)) {
            case MessageType.WELCOME -> welcomed(Welcome.maxFrameLength(frame, 0));
            case MessageType.REPLY -> {
                Waiting found = waiting.remove(number);
                if (found != null) {
                    found.reply.complete(new Reply(
                            Message.sequence(frame, 0),
                            frame.asSlice(Message.HEADER_BYTES, length - Message.HEADER_BYTES)
                                    .toArray(ValueLayout.JAVA_BYTE)));
                }
            }
            case MessageType.FAILED ->
                fail(number, new ServiceException(FailureNotice.code(frame, 0), FailureNotice.text(frame, 0)));
            case MessageType.BUSY -> onBusy(number, frame);
            case MessageType.ERROR -> onError(FailureNotice.code(frame, 0), FailureNotice.text(frame, 0));
            default -> {}
        }
    }

    private void onBusy(long number, MemorySegment frame) {
        Busy.Reason reason = Busy.reason(frame, 0);
        RefusedException refused = new RefusedException(reason, Busy.retryAfterNanos(frame, 0));
        if (number == 0) {
            waiting.keySet().forEach(each -> fail(each, refused));
            end(refused);
        } else {
            fail(number, refused);
        }
    }

    private void fail(long number, RuntimeException why) {
        Waiting found = waiting.remove(number);
        if (found != null) {
            found.reply.completeExceptionally(why);
        }
    }

    private void onError(FailureCode code, String text) {
        switch (code) {
            case CLOSING, TOO_MANY_CONNECTIONS, TOO_MANY_SESSIONS, SLOW_CONSUMER -> lost(text);
            default -> {
                if (welcome) {
                    lost(text);
                } else {
                    refused(code, name() + " says: " + text);
                }
            }
        }
    }

    private void fail(Throwable why) {
        if (why instanceof SSLException && !welcome) {
            refused(FailureCode.UNAUTHENTICATED, "no TLS with " + name() + ": " + why.getMessage());
        } else {
            lost(String.valueOf(why.getMessage()));
        }
    }

    /** The service does not want this connection, and nothing was sent. */
    private void refused(FailureCode code, String why) {
        ServiceException refusal = new ServiceException(code, why);
        if (code == FailureCode.UNAUTHENTICATED) {
            notLetIn.accept(refusal);
        }
        end(refusal);
    }

    private void lost(String why) {
        end(
                welcome
                        ? new OutcomeUnknownException(why)
                        : RefusedException.ofNoService("the service cannot be reached: " + why, RETRY_NANOS));
    }

    /** The first reason counts: the others come from it. */
    private void end(RuntimeException why) {
        RuntimeException first;
        synchronized (early) {
            first = ended == null ? why : ended;
            ended = first;
        }
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more either way.
        }
        // Not by an interrupt: the writer may be about to complete what waits, which others have stages behind.
        unwritten.add(LAST);
        failAll(first);
    }

    private void failAll(RuntimeException why) {
        waiting.keySet().forEach(number -> fail(number, why));
    }

    private String name() {
        return service.address().getHostString() + ":" + service.address().getPort();
    }

    private static RefusedException refusal(String why) {
        return new RefusedException(Busy.Reason.PENDING, why, RETRY_NANOS);
    }
}
