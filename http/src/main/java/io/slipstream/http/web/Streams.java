package io.slipstream.http.web;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** The event streams that are open: bounded, and kept alive by a beat. Any thread. */
public final class Streams {
    private static final long RETRY_NANOS = 5_000_000_000L;

    private final int most;
    private final AtomicInteger count = new AtomicInteger();
    private final Set<EventStream> all = ConcurrentHashMap.newKeySet();

    /** Creates a place for so many. */
    public Streams(int most) {
        this.most = most;
    }

    /** Returns how many are open. */
    public int count() {
        return count.get();
    }

    /** Sends a sign of life to each; to be called every few seconds, since proxies close what is silent. */
    public void beat() {
        all.forEach(EventStream::beat);
    }

    /** Ends all of them. */
    public void finish() {
        all.forEach(EventStream::finish);
    }

    /** Opens a stream; or answers HEAD, or that there are too many, and returns null. */
    @Nullable
    EventStream open(Request request, Response response, Callback callback) {
        if (HttpMethod.HEAD.is(request.getMethod())) {
            EventStream.describe(response);
            Answer.end(response, callback, null);
            return null;
        }
        if (count.incrementAndGet() > most) {
            count.decrementAndGet();
            Answer.problem(
                    response,
                    callback,
                    new Problem(
                            503,
                            "busy",
                            "there are " + most + " event streams, and no more are served",
                            null,
                            RETRY_NANOS));
            return null;
        }
        EventStream stream = new EventStream(request, response, callback);
        // The header goes out with it, however long the first event takes.
        stream.beat();
        all.add(stream);
        stream.ended().thenRun(() -> {
            all.remove(stream);
            count.decrementAndGet();
        });
        return stream;
    }
}
