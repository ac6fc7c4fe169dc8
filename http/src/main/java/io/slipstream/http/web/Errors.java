package io.slipstream.http.web;

import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Says as a {@link Problem} what the server itself refuses: what is no HTTP, or too long. */
public final class Errors implements Request.Handler {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Object message = request.getAttribute(ErrorHandler.ERROR_MESSAGE);
        int status = Math.max(400, response.getStatus());
        Answer.problem(
                response,
                callback,
                Problem.of(
                        status,
                        status < 500 ? "malformed" : "failed",
                        message == null ? "this is no request that can be answered" : message.toString()));
        return true;
    }
}
