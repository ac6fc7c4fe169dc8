package io.slipstream.http.web;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Writes responses. */
final class Answer {
    static final HttpField JSON = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "application/json");
    static final HttpField LINES = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "application/x-ndjson");
    private static final HttpField PROBLEM = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, Problem.MEDIA_TYPE);

    private Answer() {}

    static void ok(Request request, Response response, Callback callback, HttpField type, byte[] body) {
        response.setStatus(200);
        response.getHeaders().put(type);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        boolean head = HttpMethod.HEAD.is(request.getMethod());
        response.write(true, head ? null : ByteBuffer.wrap(body), callback);
    }

    static void problem(Response response, Callback callback, Problem problem) {
        response.setStatus(problem.status());
        response.getHeaders().put(PROBLEM);
        if (problem.retryAfterNanos() > 0) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, problem.retryAfterSeconds());
        }
        byte[] body = problem.toJson();
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        response.write(true, ByteBuffer.wrap(body), callback);
    }
}
