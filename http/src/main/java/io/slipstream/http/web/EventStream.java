package io.slipstream.http.web;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The writing end of server-sent events. Any thread adds text and never waits; a client that reads so slowly that
 * {@value #MAX_BYTES} bytes wait for it is cut off.
 */
public final class EventStream {
    private static final int MAX_BYTES = 1 << 20;
    private static final byte[] BEAT = ":\n\n".getBytes(StandardCharsets.UTF_8);

    private final Response response;
    private final Callback callback;
    private final Queue<byte[]> queue = new ArrayDeque<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private int queuedBytes;
    private boolean writing;
    private boolean finished;

    EventStream(Request request, Response response, Callback callback) {
        this.response = response;
        this.callback = callback;
        request.addFailureListener(this::fail);
        describe(response);
    }

    /** Sets what goes before the events. */
    static void describe(Response response) {
        response.setStatus(200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/event-stream");
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    }

    /** Completes when the client has gone, or was cut off. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /** Sends a sign of life. */
    public void beat() {
        add(BEAT);
    }

    /** Sends an event. */
    public void send(String text) {
        add(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Ends the stream behind what was sent. */
    public void finish() {
        synchronized (queue) {
            finished = true;
        }
        writeNext();
    }

    private void add(byte[] bytes) {
        boolean tooSlow;
        synchronized (queue) {
            if (finished || ended.isDone()) {
                return;
            }
            tooSlow = queuedBytes + bytes.length > MAX_BYTES;
            if (!tooSlow) {
                queue.add(bytes);
                queuedBytes += bytes.length;
            }
        }
        if (tooSlow) {
            fail(new IllegalStateException("the client reads too slowly"));
        } else {
            writeNext();
        }
    }

    private void writeNext() {
        ByteBuffer next;
        boolean last;
        synchronized (queue) {
            if (writing || ended.isDone() || queue.isEmpty() && !finished) {
                return;
            }
            writing = true;
            last = finished;
            next = ByteBuffer.allocate(queuedBytes);
            queue.forEach(next::put);
            queue.clear();
            queuedBytes = 0;
        }
        response.write(last, next.flip(), Callback.from(() -> wrote(last), this::fail));
    }

    private void wrote(boolean last) {
        synchronized (queue) {
            writing = false;
        }
        if (!last) {
            writeNext();
        } else if (ended.complete(null)) {
            callback.succeeded();
        }
    }

    private void fail(Throwable why) {
        if (ended.complete(null)) {
            callback.failed(why);
        }
    }
}
