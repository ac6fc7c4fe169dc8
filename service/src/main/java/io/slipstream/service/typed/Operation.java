package io.slipstream.service.typed;

import io.slipstream.data.codec.Codec;
import io.slipstream.data.json.Json;
import io.slipstream.data.schema.Schema;
import java.lang.foreign.MemorySegment;

/**
 * A command or a query of a {@link Contract}: its name, its type, the type of its reply, and the bytes and the JSON of
 * both. Immutable; any thread.
 *
 * @param <C> the command or query
 * @param <R> the reply
 */
public final class Operation<C, R> {
    private final Kind kind;
    private final Codec<C> codec;
    private final Codec<R> replyCodec;
    private final Json<C> json;
    private final Json<R> replyJson;

    /** What an operation is. */
    public enum Kind {
        /** Changes the state, and is in the log. */
        COMMAND,
        /** Changes nothing. */
        QUERY
    }

    Operation(Kind kind, Codec<C> codec, Codec<R> replyCodec) {
        this.kind = kind;
        this.codec = codec;
        this.replyCodec = replyCodec;
        this.json = Json.of(codec);
        this.replyJson = Json.of(replyCodec);
    }

    /** Returns whether this is a command or a query. */
    public Kind kind() {
        return kind;
    }

    /** Returns the name of its type in the schema: that of the record unless an annotation gives another. */
    public String name() {
        return codec.schema().name();
    }

    /** Returns the number by which its bytes name it. */
    public int id() {
        return codec.schema().id();
    }

    /** Returns the record. */
    public Class<C> type() {
        return codec.schema().type();
    }

    /** Returns what it consists of. */
    public Schema<C> schema() {
        return codec.schema();
    }

    /** Returns what its reply consists of. */
    public Schema<R> replySchema() {
        return replyCodec.schema();
    }

    /** Returns the codec of its payload. */
    public Codec<C> codec() {
        return codec;
    }

    /** Returns the codec of its reply's payload. */
    public Codec<R> replyCodec() {
        return replyCodec;
    }

    /**
     * Returns the payload that a JSON text describes.
     *
     * @throws io.slipstream.data.DecodeException if it is not exactly one such object; the message names field and
     *                                            position
     * @throws RuntimeException                   that the record's constructor throws
     */
    public byte[] fromJson(String text) {
        return codec.toBytes(json.read(text));
    }

    /** As {@link #fromJson(String)}, from UTF-8. */
    public byte[] fromJson(byte[] utf8) {
        return codec.toBytes(json.read(utf8));
    }

    /**
     * Returns a payload of this operation as JSON of one line.
     *
     * @throws io.slipstream.data.DecodeException if the bytes are none
     */
    public String toJson(MemorySegment memory, long offset, int length) {
        return json.write(codec.decode(memory, offset, length));
    }

    /**
     * Returns the payload of a reply as JSON of one line.
     *
     * @throws io.slipstream.data.DecodeException if the bytes are none
     */
    public String replyToJson(MemorySegment memory, long offset, int length) {
        return replyJson.write(replyCodec.decode(memory, offset, length));
    }

    /** As {@link #replyToJson(MemorySegment, long, int)}, with all of {@code payload}. */
    public String replyToJson(byte[] payload) {
        return replyToJson(MemorySegment.ofArray(payload), 0, payload.length);
    }

    @Override
    public String toString() {
        return (kind == Kind.COMMAND ? "command " : "query ") + name() + " -> "
                + replyCodec.schema().name();
    }
}
