package io.slipstream.data.json;

import io.slipstream.data.DecodeException;
import io.slipstream.data.codec.Codec;
import io.slipstream.data.wire.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Writes values of one type as JSON and reads them. Immutable; any thread.
 *
 * @param <T> the type
 */
public final class Json<T> {
    /** Most bytes of a text, unless another limit is given. */
    public static final int MAX_BYTES = 1 << 20;

    private final Codec<T> codec;
    private final int maxBytes;

    private Json(Codec<T> codec, int maxBytes) {
        this.codec = codec;
        this.maxBytes = maxBytes;
    }

    /** Returns the JSON of a codec's type. */
    public static <T> Json<T> of(Codec<T> codec) {
        return new Json<>(codec, MAX_BYTES);
    }

    /** Returns the JSON of a type; see {@link Codec#of(Class)}. */
    public static <T> Json<T> of(Class<T> type) {
        return of(Codec.of(type));
    }

    /** Returns the same with another limit of the bytes that are read, 1 at least. */
    public Json<T> withMaxBytes(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("a value has at most 1 byte or more, not " + bytes);
        }
        return new Json<>(codec, bytes);
    }

    /**
     * Returns a value as text of one line. A field that is null is left out, unless it has a default.
     *
     * @throws io.slipstream.data.EncodeException if a text has half of a surrogate pair, which UTF-8 cannot write
     */
    public String write(T value) {
        StringBuilder text = new StringBuilder(128);
        write(value, text);
        return text.toString();
    }

    /** Appends a value to a text; see {@link #write(Object)}. */
    public void write(T value, StringBuilder text) {
        new JsonWriter(text).write(codec, value);
    }

    /**
     * Reads a value.
     *
     * @throws io.slipstream.data.DecodeException if the text is not exactly one such value; the message names field and
     * position
     */
    public T read(String text) {
        int half = Utf8.halfPair(text);
        if (half >= 0) {
            throw new DecodeException(
                    codec.schema().name(),
                    text.substring(0, half).getBytes(StandardCharsets.UTF_8).length,
                    "is half of a surrogate pair, which is no text");
        }
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Reads a value from UTF-8; see {@link #read(String)}. */
    public T read(byte[] utf8) {
        return read(utf8, 0, utf8.length);
    }

    /** Reads a value from a part of an array; see {@link #read(String)}. Positions count from {@code offset}. */
    public T read(byte[] utf8, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, utf8.length);
        JsonScanner scanner =
                new JsonScanner(utf8, offset, length, codec.schema().name());
        if (length > maxBytes) {
            throw scanner.bad(0, "has " + length + " bytes, more than the limit of " + maxBytes);
        }
        T value = new JsonReader(scanner).read(codec);
        scanner.end();
        return value;
    }
}
