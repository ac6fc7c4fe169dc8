package io.slipstream.data.codec;

import io.slipstream.data.DecodeException;
import io.slipstream.data.EncodeException;
import io.slipstream.data.schema.Schema;
import io.slipstream.data.wire.Bytes;
import io.slipstream.data.wire.Header;
import io.slipstream.data.wire.Input;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The codec of a sealed interface: that of the record which a value is, or whose number the bytes have. */
final class UnionCodec<T> extends Codec<T> {
    private final Codec<? extends T>[] variants;
    private final Class<?>[] types;

    @SuppressWarnings({"unchecked", "rawtypes"})
    UnionCodec(Schema<T> schema, List<Codec<? extends T>> variants) {
        super(
                schema,
                new Access(
                        List.of(),
                        null,
                        new int[0],
                        variants.stream().mapToInt(Codec::maxLength).max().orElse(0)));
        this.variants = variants.toArray(new Codec[0]);
        types = variants.stream().map(v -> v.schema().type()).toArray(Class[]::new);
    }

    @SuppressWarnings("unchecked")
    Codec<T> of(@Nullable Object value) {
        if (value == null) {
            throw new EncodeException(schema().name(), "is null");
        }
        Class<?> type = value.getClass();
        for (int i = 0; i < types.length; i++) {
            if (types[i] == type) {
                return (Codec<T>) variants[i];
            }
        }
        throw new EncodeException(schema().name(), type.getName() + " is none of its records");
    }

    Codec<? extends T> ofId(int id, int start) {
        for (Codec<? extends T> variant : variants) {
            if (variant.definition().id() == id) {
                return variant;
            }
        }
        throw new DecodeException(
                schema().name(), start, "the bytes are of type " + id + ", which is none of its records");
    }

    @Override
    public Codec<? extends T> variantOf(T value) {
        return of(value);
    }

    @Override
    public int encode(T value, MemorySegment target, long offset, int room) {
        return of(value).encode(value, target, offset, room);
    }

    @Override
    public T decode(MemorySegment source, long offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.byteSize());
        if (length < HEADER_BYTES) {
            throw endsBefore(HEADER_BYTES, length);
        }
        return ofId(Header.typeId(Header.at(source, offset)), 0).decode(source, offset, length);
    }

    @Override
    protected int writeWhole(T value, MemorySegment m, long base, int end, int limit, int depth) {
        return whole(of(value), value, m, base, end, limit, depth);
    }

    private static <U> int whole(Codec<U> codec, U value, MemorySegment m, long base, int end, int limit, int depth) {
        return codec.writeWhole(value, m, base, end, limit, depth);
    }

    @Override
    protected T readWhole(Input in, int start) {
        if (start + HEADER_BYTES > in.length()) {
            throw new DecodeException(
                    schema().name(),
                    start,
                    "needs a header of " + HEADER_BYTES + " bytes, but the message ends at " + in.length());
        }
        long header = Bytes.getLong(in.memory(), in.base() + start);
        return whole(ofId(Header.typeId(header), start), in, start);
    }

    private static <U> U whole(Codec<U> codec, Input in, int start) {
        return codec.readWhole(in, start);
    }

    @Override
    protected int wholeBytes(T value, int depth) {
        Codec<T> variant = of(value);
        return variant.wholeBytes(value, depth);
    }

    @Override
    protected long header() {
        return 0;
    }

    @Override
    protected int blockBytes() {
        return 1;
    }

    @Override
    protected int write(T value, MemorySegment m, long base, int block, int end, int limit, int depth) {
        throw new IllegalStateException("a union has no block");
    }

    @Override
    protected T read(Input in, int block, int version) {
        throw new IllegalStateException("a union has no block");
    }

    @Override
    protected int tail(T value, int depth) {
        throw new IllegalStateException("a union has no block");
    }
}
