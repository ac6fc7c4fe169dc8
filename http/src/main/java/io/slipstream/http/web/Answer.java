package io.slipstream.http.web;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Writes responses. */
final class Answer {
    static final HttpField JSON = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "application/json");
    static final HttpField LINES = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "application/x-ndjson");
    private static final HttpField PROBLEM = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, Problem.MEDIA_TYPE);

    /**
     * A refusal costs as much as an answer. Held back for this long, it leaves the processor to those who are answered,
     * also where clients ask again at once.
     */
    private static final long LONGEST_HOLD_NANOS = 100_000_000;

    private Answer() {}

    static void ok(Request request, Response response, Callback callback, HttpField type, byte[] body) {
        response.setStatus(200);
        response.getHeaders().put(type);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        boolean head = HttpMethod.HEAD.is(request.getMethod());
        end(response, callback, head ? null : body);
    }

    /** Says what is wrong: at once, or after a moment if the client is to ask again later. Never waits. */
    static void problem(Response response, Callback callback, Problem problem) {
        response.setStatus(problem.status());
        response.getHeaders().put(PROBLEM);
        byte[] body = problem.toJson();
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        if (problem.retryAfterNanos() > 0) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, problem.retryAfterSeconds());
            response.getRequest()
                    .getComponents()
                    .getScheduler()
                    .schedule(
                            () -> end(response, callback, body),
                            Math.min(problem.retryAfterNanos(), LONGEST_HOLD_NANOS),
                            TimeUnit.NANOSECONDS);
        } else {
            end(response, callback, body);
        }
    }

    /**
     * Writes the only bytes of a response. Who is answered before the body has come is told that the connection ends
     * with it: the next request on it would find nobody.
     */
    static void end(Response response, Callback callback, byte @Nullable [] body) {
        Request request = response.getRequest();
        if (!request.consumeAvailable()
                && request.getConnectionMetaData().getHttpVersion().getVersion() < HttpVersion.HTTP_2.getVersion()) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
        response.write(true, body == null ? null : ByteBuffer.wrap(body), callback);
    }
}
