package io.slipstream.http.web;

import io.slipstream.http.api.ApiOperation;
import io.slipstream.http.call.Backend;
import io.slipstream.http.call.IdempotencyKey;
import io.slipstream.http.config.HttpLimits;
import io.slipstream.http.text.JsonText;
import io.slipstream.service.client.Reply;
import io.slipstream.service.typed.Operation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.jspecify.annotations.Nullable;

/** Commands and queries: one as a JSON object, or many of one type as lines of JSON. */
final class Operations {
    private static final String JSON = "application/json";
    private static final String LINES = "application/x-ndjson";

    private final Backend backend;
    private final HttpLimits limits;

    Operations(Backend backend, HttpLimits limits) {
        this.backend = backend;
        this.limits = limits;
    }

    void handle(ApiOperation operation, String client, Request request, Response response, Callback callback) {
        String type = mediaType(request);
        if (!type.equals(JSON) && !type.equals(LINES)) {
            Answer.problem(
                    response,
                    callback,
                    Problem.of(
                            415,
                            "media-type",
                            "send " + JSON + ", or " + LINES + " for many of them, not "
                                    + (type.isEmpty() ? "nothing" : type)));
            return;
        }
        if (request.getLength() > limits.bodyBytes()) {
            Answer.problem(response, callback, tooLong());
            return;
        }
        IdempotencyKey key;
        try {
            String header = request.getHeaders().get("Idempotency-Key");
            key = header == null ? null : IdempotencyKey.parse(header, client);
        } catch (IllegalArgumentException e) {
            Answer.problem(response, callback, Problem.of(400, "idempotency-key", String.valueOf(e.getMessage())));
            return;
        }
        Content.Source.asByteArrayAsync(request, limits.bodyBytes(), new Promise.Invocable<>() {
            @Override
            public void succeeded(byte[] body) {
                if (type.equals(JSON)) {
                    one(operation, body, key, request, response, callback);
                } else {
                    many(operation, body, key, request, response, callback);
                }
            }

            @Override
            public void failed(Throwable failure) {
                if (failure instanceof IllegalStateException) {
                    Answer.problem(response, callback, tooLong());
                } else {
                    callback.failed(failure);
                }
            }
        });
    }

    private void one(
            ApiOperation operation,
            byte[] body,
            @Nullable IdempotencyKey key,
            Request request,
            Response response,
            Callback callback) {
        byte[] payload;
        try {
            payload = operation.toBytes().apply(body);
        } catch (RuntimeException e) {
            Answer.problem(response, callback, Problem.ofBody(e));
            return;
        }
        send(operation, payload, key).whenComplete((reply, failure) -> {
            try {
                if (failure != null) {
                    Answer.problem(response, callback, Problem.ofFailure(failure));
                } else {
                    Answer.ok(
                            request,
                            response,
                            callback,
                            Answer.JSON,
                            operation.toJson().apply(reply).getBytes(StandardCharsets.UTF_8));
                }
            } catch (RuntimeException e) {
                Answer.problem(response, callback, Problem.ofFailure(e));
            }
        });
    }

    private void many(
            ApiOperation operation,
            byte[] body,
            @Nullable IdempotencyKey key,
            Request request,
            Response response,
            Callback callback) {
        List<byte[]> lines = lines(body);
        if (lines.isEmpty() || lines.size() > limits.batchLines()) {
            Answer.problem(
                    response,
                    callback,
                    Problem.of(
                            lines.isEmpty() ? 400 : 413,
                            "batch",
                            "a batch has 1 to " + limits.batchLines() + " lines, not " + lines.size()));
            return;
        }
        List<byte[]> payloads = new ArrayList<>(lines.size());
        for (byte[] line : lines) {
            try {
                payloads.add(operation.toBytes().apply(line));
            } catch (RuntimeException e) {
                Problem problem = Problem.ofBody(e);
                Answer.problem(
                        response,
                        callback,
                        new Problem(
                                400,
                                "invalid",
                                "line " + (payloads.size() + 1) + ": " + problem.detail()
                                        + "; nothing of the batch was sent",
                                problem.field(),
                                0));
                return;
            }
        }
        List<CompletableFuture<String>> answers = new ArrayList<>(payloads.size());
        for (int i = 0; i < payloads.size(); i++) {
            answers.add(send(operation, payloads.get(i), key == null ? null : key.plus(i))
                    .handle((reply, failure) -> line(operation, reply, failure)));
        }
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).whenComplete((_, _) -> {
            StringBuilder text = new StringBuilder();
            answers.forEach(answer -> text.append(answer.join()).append('\n'));
            Answer.ok(request, response, callback, Answer.LINES, text.toString().getBytes(StandardCharsets.UTF_8));
        });
    }

    private CompletableFuture<Reply> send(ApiOperation operation, byte[] payload, @Nullable IdempotencyKey key) {
        return operation.kind() == Operation.Kind.COMMAND ? backend.command(payload, key) : backend.query(payload);
    }

    private static String line(ApiOperation operation, @Nullable Reply reply, @Nullable Throwable failure) {
        try {
            if (failure == null && reply != null) {
                return "{\"status\":200,\"reply\":" + operation.toJson().apply(reply) + "}";
            }
            return JsonText.of(Problem.ofFailure(failure == null ? new IllegalStateException() : failure)
                    .toMap());
        } catch (RuntimeException e) {
            return JsonText.of(Problem.ofFailure(e).toMap());
        }
    }

    private static List<byte[]> lines(byte[] body) {
        List<byte[]> lines = new ArrayList<>();
        int from = 0;
        for (int i = 0; i <= body.length; i++) {
            if (i == body.length || body[i] == '\n') {
                if (!new String(body, from, i - from, StandardCharsets.UTF_8).isBlank()) {
                    lines.add(Arrays.copyOfRange(body, from, i));
                }
                from = i + 1;
            }
        }
        return lines;
    }

    private Problem tooLong() {
        return Problem.of(413, "too-long", "a body has at most " + limits.bodyBytes() + " bytes");
    }

    private static String mediaType(Request request) {
        String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
        if (type == null) {
            return "";
        }
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).trim().toLowerCase(Locale.ROOT);
    }
}
