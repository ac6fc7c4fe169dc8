package io.slipstream.http.api;

import io.slipstream.data.codec.Codec;
import io.slipstream.data.json.Json;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.Schema;
import io.slipstream.service.client.Reply;
import io.slipstream.service.typed.Operation;
import io.slipstream.service.typed.RejectedException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A command or a query that HTTP clients may send. Immutable; any thread.
 *
 * @param kind    whether it changes something
 * @param name    in the path
 * @param request what its JSON consists of
 * @param reply   what the JSON of its answer consists of
 * @param toBytes makes the payload of a JSON text in UTF-8; throws {@link io.slipstream.data.DecodeException}, which
 *                names the field, or what a record's constructor throws
 * @param toJson  makes the JSON of a reply; throws {@link io.slipstream.service.typed.RejectedException} if the reply
 *                says that the machine did not accept the command
 */
public record ApiOperation(
        Operation.Kind kind,
        String name,
        Definitions request,
        Definitions reply,
        Function<byte[], byte[]> toBytes,
        Function<Reply, String> toJson) {
    /** Returns an operation of a typed service. */
    public static ApiOperation of(Operation<?, ?> operation) {
        return new ApiOperation(
                operation.kind(),
                operation.name(),
                operation.schema().definitions(),
                operation.replySchema().definitions(),
                operation::fromJson,
                reply -> operation.replyToJson(reply.payload()));
    }

    /**
     * Returns an operation of a service whose payloads are values of {@code data}, without a contract.
     *
     * @param refusal says by what is returned why the machine did not accept it, or null if it did
     */
    public static <R> ApiOperation of(
            Operation.Kind kind, String name, Codec<?> request, Codec<R> reply, Function<R, @Nullable String> refusal) {
        Json<R> replies = Json.of(reply);
        return new ApiOperation(
                kind, name, request.schema().definitions(), reply.schema().definitions(), toBytes(request), answer -> {
                    R value = reply.fromBytes(answer.payload());
                    String why = refusal.apply(value);
                    if (why != null) {
                        throw new RejectedException(why);
                    }
                    return replies.write(value);
                });
    }

    /**
     * Returns an operation of a service that has payloads of its own.
     *
     * @param request public record that the JSON describes
     * @param reply   public record of the answer
     * @param encode  makes the payload
     * @param decode  reads the payload of a reply
     */
    public static <C, R> ApiOperation mapped(
            Operation.Kind kind,
            Class<C> request,
            Class<R> reply,
            Function<C, byte[]> encode,
            Function<Reply, R> decode) {
        Json<C> requests = Json.of(request);
        Json<R> replies = Json.of(reply);
        Schema<C> schema = Schema.of(request);
        return new ApiOperation(
                kind,
                schema.name(),
                schema.definitions(),
                Schema.of(reply).definitions(),
                utf8 -> encode.apply(requests.read(utf8)),
                answer -> replies.write(decode.apply(answer)));
    }

    private static <C> Function<byte[], byte[]> toBytes(Codec<C> codec) {
        Json<C> requests = Json.of(codec);
        return utf8 -> codec.toBytes(requests.read(utf8));
    }

    /** Returns the path that it is posted to. */
    public String path() {
        return (kind == Operation.Kind.COMMAND ? "/commands/" : "/queries/") + name;
    }
}
