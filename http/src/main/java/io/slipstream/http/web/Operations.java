package io.slipstream.http.web;

import io.slipstream.data.DecodeException;
import io.slipstream.http.api.ApiOperation;
import io.slipstream.http.call.Backend;
import io.slipstream.http.call.Batch;
import io.slipstream.http.call.IdempotencyKey;
import io.slipstream.http.config.HttpLimits;
import io.slipstream.http.text.JsonText;
import io.slipstream.service.client.Reply;
import io.slipstream.service.typed.Operation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/** Commands and queries: one as a JSON object, or many of one type as lines of JSON. */
final class Operations {
    private final Backend backend;
    private final HttpLimits limits;

    Operations(Backend backend, HttpLimits limits) {
        this.backend = backend;
        this.limits = limits;
    }

    void handle(ApiOperation operation, String owner, Request request, Response response, Callback callback) {
        Problem refusal = RequestBody.refusal(request.getHeaders());
        if (refusal != null) {
            Answer.problem(response, callback, refusal);
            return;
        }
        boolean isOne = RequestBody.mediaType(request.getHeaders()).equals(RequestBody.JSON);
        if (request.getLength() > limits.bodyBytes()) {
            Answer.problem(response, callback, tooLong());
            return;
        }
        IdempotencyKey key;
        try {
            key = key(request, owner);
        } catch (IllegalArgumentException e) {
            Answer.problem(response, callback, Problem.of(400, "idempotency-key", String.valueOf(e.getMessage())));
            return;
        }
        CompletableFuture<Void> arrived = new CompletableFuture<>();
        Content.Source.asByteArrayAsync(request, limits.bodyBytes(), new Promise.Invocable<>() {
            @Override
            public void succeeded(byte[] body) {
                arrived.complete(null);
                if (isOne) {
                    one(operation, body, key, request, response, callback);
                } else {
                    many(operation, body, key, request, response, callback);
                }
            }

            @Override
            public void failed(Throwable failure) {
                arrived.complete(null);
                if (failure instanceof IllegalStateException) {
                    Answer.problem(response, callback, tooLong());
                } else if (failure instanceof TimeoutException) {
                    Answer.problem(response, callback, Problem.of(408, "slow", "the body did not arrive in time"));
                } else {
                    callback.failed(failure);
                }
            }
        });
        if (!arrived.isDone()) {
            Scheduler.Task late = request.getComponents()
                    .getScheduler()
                    .schedule(
                            () -> request.fail(new TimeoutException("the body did not arrive in time")),
                            limits.requestTime().toNanos(),
                            TimeUnit.NANOSECONDS);
            arrived.thenRun(late::cancel);
        }
    }

    private static @Nullable IdempotencyKey key(Request request, String owner) {
        List<String> keys = request.getHeaders().getValuesList("Idempotency-Key");
        if (keys.size() > 1) {
            throw new IllegalArgumentException("send one Idempotency-Key, not " + keys.size());
        }
        return keys.isEmpty() ? null : IdempotencyKey.parse(keys.getFirst(), owner);
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
        send(operation, payload, key, null).whenComplete((reply, failure) -> {
            try {
                if (failure != null) {
                    Answer.problem(response, callback, ofFailure(failure, operation, key));
                } else {
                    Answer.ok(
                            request,
                            response,
                            callback,
                            Answer.JSON,
                            operation.toJson().apply(reply).getBytes(StandardCharsets.UTF_8));
                }
            } catch (RuntimeException e) {
                Answer.problem(response, callback, ofReply(e, operation, key));
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
        Batch batch = backend.newBatch();
        List<CompletableFuture<String>> answers = new ArrayList<>(payloads.size());
        for (int i = 0; i < payloads.size(); i++) {
            answers.add(send(operation, payloads.get(i), key == null ? null : key.plus(i), batch)
                    .handle((reply, failure) -> line(operation, key, reply, failure)));
        }
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).whenComplete((_, _) -> {
            StringBuilder text = new StringBuilder();
            answers.forEach(answer -> text.append(answer.join()).append('\n'));
            Answer.ok(request, response, callback, Answer.LINES, text.toString().getBytes(StandardCharsets.UTF_8));
        });
    }

    private CompletableFuture<Reply> send(
            ApiOperation operation, byte[] payload, @Nullable IdempotencyKey key, @Nullable Batch batch) {
        return operation.kind() == Operation.Kind.COMMAND
                ? backend.command(operation.name(), payload, key, batch)
                : backend.query(payload, batch);
    }

    private static String line(
            ApiOperation operation, @Nullable IdempotencyKey key, @Nullable Reply reply, @Nullable Throwable failure) {
        try {
            if (failure == null && reply != null) {
                return "{\"status\":200,\"reply\":" + operation.toJson().apply(reply) + "}";
            }
            return JsonText.of(ofFailure(failure == null ? new IllegalStateException() : failure, operation, key)
                    .toMap());
        } catch (RuntimeException e) {
            return JsonText.of(ofReply(e, operation, key).toMap());
        }
    }

    private static Problem ofFailure(Throwable why, ApiOperation operation, @Nullable IdempotencyKey key) {
        return operation.kind() == Operation.Kind.COMMAND
                ? Problem.ofCommand(why, key != null)
                : Problem.ofFailure(why);
    }

    /** A reply of another form is the one that a command of another type got under the same key. */
    private static Problem ofReply(RuntimeException e, ApiOperation operation, @Nullable IdempotencyKey key) {
        return key != null && e instanceof DecodeException
                ? Problem.of(
                        422,
                        "idempotency-key",
                        "the idempotency key was used before for a command of another type than " + operation.name()
                                + "; give each command a key of its own")
                : Problem.ofFailure(e);
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
}
