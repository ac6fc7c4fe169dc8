package io.slipstream.data.codec;

import io.slipstream.data.DecodeException;
import io.slipstream.data.host.Defaults;
import io.slipstream.data.schema.Property;
import io.slipstream.data.schema.Schema;
import io.slipstream.data.wire.Bytes;
import io.slipstream.data.wire.Header;
import io.slipstream.data.wire.Input;
import io.slipstream.data.wire.Struct;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes values of one type to memory and reads them back. A codec has no state: any number of threads may use it. Keep
 * it in a {@code static final} field, where the JIT compiler takes it for a constant.
 *
 * <pre>{@code
 *   static final Codec<Order> ORDERS = Codec.of(Order.class);
 *
 *   int length = ORDERS.encode(order, segment, offset);
 *   Order same = ORDERS.decode(segment, offset, length);
 * }</pre>
 *
 * <p>Encoding makes no garbage; decoding makes the value and nothing else that lasts. Reading never goes beyond the
 * length that it is given, and what it reads takes no more memory than a small multiple of that.
 *
 * @param <T> the type: a record, a sealed interface of records, an interface of getters, or a class
 */
public abstract class Codec<T> extends Struct<T> {
    private static final ClassValue<Codec<?>> CODECS = new ClassValue<>() {
        @Override
        protected Codec<?> computeValue(Class<?> type) {
            return CodecBuilder.build(Schema.of(type), MethodHandles.lookup());
        }
    };

    private final Schema<T> schema;
    private final Access access;
    private Map<Class<?>, Codec<?>> graph = Map.of();

    Codec(Schema<T> schema, Access access) {
        super(schema.definition());
        this.schema = schema;
        this.access = access;
    }

    /**
     * Returns the codec of a type that this module can reach: a public type of an exported package with public members,
     * or any type of a package that is open to this module, as all are on the class path.
     *
     * @throws io.slipstream.data.schema.SchemaException if the type has no schema or cannot be reached
     */
    @SuppressWarnings("unchecked")
    public static <T> Codec<T> of(Class<T> type) {
        return (Codec<T>) CODECS.get(type);
    }

    /**
     * Returns a new codec of a type that {@code lookup} can reach: give {@code MethodHandles.lookup()} for types that
     * are neither public nor open.
     *
     * @throws io.slipstream.data.schema.SchemaException if the type has no schema or cannot be reached
     */
    public static <T> Codec<T> of(Class<T> type, MethodHandles.Lookup lookup) {
        return CodecBuilder.build(Schema.of(type), lookup);
    }

    /** Returns the codec of a schema's type. */
    public static <T> Codec<T> of(Schema<T> schema) {
        return of(schema.type());
    }

    /** Returns the schema. */
    public final Schema<T> schema() {
        return schema;
    }

    /**
     * Writes a value.
     *
     * @param value to be written; nothing of it is kept
     * @param target where to write
     * @param offset of the first byte
     * @param room most bytes to write; those behind the value may be overwritten
     * @return the number of bytes written
     * @throws io.slipstream.data.EncodeException if the value does not fit its schema, or the room; the message names
     * the field
     */
    public int encode(T value, MemorySegment target, long offset, int room) {
        Objects.checkFromIndexSize(offset, room, target.byteSize());
        int end = HEADER_BYTES + blockBytes();
        if (room < end) {
            throw noRoom(end, room);
        }
        Bytes.putLong(target, offset, header());
        return write(value, target, offset, HEADER_BYTES, end, room, 0);
    }

    /** Writes a value, with room up to the end of the memory; see {@link #encode(Object, MemorySegment, long, int)}. */
    public final int encode(T value, MemorySegment target, long offset) {
        return encode(value, target, offset, (int) Math.min(Integer.MAX_VALUE, target.byteSize() - offset));
    }

    /**
     * Reads a value.
     *
     * @param source where it is; nothing of it is kept
     * @param offset of its first byte
     * @param length of the value in bytes, or more
     * @throws io.slipstream.data.DecodeException if the bytes are not what the schema says; the message names field and
     * offset
     */
    public T decode(MemorySegment source, long offset, int length) {
        Input in = input(source, offset, length);
        return read(in, HEADER_BYTES, version(Header.at(source, offset), 0));
    }

    /**
     * Reads a value into an object of a class that is not a record, so that nothing need be allocated: arrays that have
     * the length already are reused.
     *
     * @throws UnsupportedOperationException if the type is a record or an interface
     * @throws io.slipstream.data.DecodeException if the bytes are not what the schema says; {@code target} may have
     * been changed in part
     */
    public final T decodeInto(T target, MemorySegment source, long offset, int length) {
        Input in = input(source, offset, length);
        readInto(target, in, HEADER_BYTES, version(Header.at(source, offset), 0));
        return target;
    }

    private Input input(MemorySegment source, long offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.byteSize());
        if (length < HEADER_BYTES) {
            throw endsBefore(HEADER_BYTES, length);
        }
        int tail = HEADER_BYTES + Header.blockBytes(Header.at(source, offset));
        if (length < tail) {
            version(Header.at(source, offset), 0);
            throw endsBefore(tail, length);
        }
        return new Input(source, offset, length, tail);
    }

    /** Returns the number of bytes that {@link #encode} will write for a value. */
    public final int sizeOf(T value) {
        return wholeBytes(value, 0);
    }

    /** Returns the most bytes that a value can take, or {@code Integer.MAX_VALUE} if a field has no limit. */
    public final int maxLength() {
        return access.maxLength();
    }

    /**
     * Returns a new flyweight, which is of one thread.
     *
     * @throws UnsupportedOperationException if the type is no interface of getters
     */
    public Flyweight<T> flyweight() {
        throw new UnsupportedOperationException(
                schema.type().getName() + " is no interface of getters, so it has no flyweight");
    }

    /** Returns the bytes of a value, for where speed does not matter. */
    public final byte[] toBytes(T value) {
        byte[] bytes = new byte[sizeOf(value)];
        encode(value, MemorySegment.ofArray(bytes), 0);
        return bytes;
    }

    /** Returns the value of these bytes, for where speed does not matter. */
    public final T fromBytes(byte[] bytes) {
        return decode(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    /** Returns what the properties of a value are, in the order of the schema, for tools that know no type. */
    public @Nullable Object[] values(T value) {
        @Nullable Object[] values = new @Nullable Object[access.accessors().size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = access.accessors().get(i).get(value);
        }
        return values;
    }

    /** Returns a new value with these properties, in the order of the schema, for tools that know no type. */
    public T create(@Nullable Object... values) {
        return access.create(values);
    }

    /** Returns the value of a property for bytes or text that do not have it; null if it has none. */
    public @Nullable Object defaultOf(Property property) {
        return Defaults.of(schema.name(), property);
    }

    /** Returns the codec of a type that the schema refers to. */
    @SuppressWarnings("unchecked")
    public final <U> Codec<U> nested(Class<U> type) {
        Codec<?> codec = graph.get(type);
        if (codec == null) {
            throw new IllegalArgumentException(schema.name() + " does not refer to " + type.getName());
        }
        return (Codec<U>) codec;
    }

    /** Returns the codec of a type that the schema refers to, by its name in the schema. */
    @SuppressWarnings("unchecked")
    public final Codec<Object> nestedNamed(String name) {
        for (Codec<?> codec : graph.values()) {
            if (codec.schema.name().equals(name)) {
                return (Codec<Object>) codec;
            }
        }
        throw new IllegalArgumentException(schema.name() + " does not refer to " + name);
    }

    /** Returns the codec of the record that a value of a sealed interface is; of any other type, this one. */
    public Codec<? extends T> variantOf(T value) {
        return this;
    }

    void graph(Map<Class<?>, Codec<?>> codecs) {
        graph = codecs;
    }

    /** Reads into an object. */
    void readInto(T target, Input in, int block, int version) {
        throw new UnsupportedOperationException(
                schema.type().getName() + " cannot be changed once it is made; use decode");
    }

    @Override
    protected int writeWhole(T value, MemorySegment m, long base, int end, int limit, int depth) {
        return super.writeWhole(value, m, base, end, limit, depth);
    }

    @Override
    protected T readWhole(Input in, int start) {
        return super.readWhole(in, start);
    }

    @Override
    protected int wholeBytes(T value, int depth) {
        return super.wholeBytes(value, depth);
    }

    @Override
    protected final String text(Object view) {
        try {
            return new BeanText(schema.type(), schema.name(), access.accessors()).apply(view);
        } catch (DecodeException e) {
            return schema.name() + "[" + e.getMessage() + "]";
        }
    }

    final Access access() {
        return access;
    }

    @Override
    public String toString() {
        return "Codec of " + schema.name() + " version " + schema.version();
    }
}
