package io.slipstream.data.codec;

import io.slipstream.data.wire.View;
import java.lang.foreign.MemorySegment;

/**
 * Looks at the bytes of a value through its interface, and reads or writes single fields in place. It makes no garbage
 * but for fields whose Java type is an object. One thread.
 *
 * <pre>{@code
 *   Flyweight<Quote> flyweight = QUOTES.flyweight();
 *   Quote quote = flyweight.wrap(segment, offset, length);
 *   long bid = quote.bid();
 *
 *   Quote next = flyweight.begin(segment, offset, room);
 *   next.bid(100);
 *   int length = flyweight.length();
 * }</pre>
 *
 * @param <T> the interface
 */
public final class Flyweight<T> {
    private final View view;
    private final T value;

    @SuppressWarnings("unchecked")
    Flyweight(View view) {
        this.view = view;
        this.value = (T) view;
    }

    /**
     * Looks at a value. Fields that a later version than the value's added read as their defaults, and their setters
     * throw {@link io.slipstream.data.EncodeException}: no setter writes beyond the value. If this throws, the
     * flyweight still looks at what it looked at before.
     *
     * @return the same object at each call
     * @throws io.slipstream.data.DecodeException if the bytes are of another type, or too short
     */
    public T wrap(MemorySegment memory, long offset, int length) {
        view.$wrap(memory, offset, length);
        return value;
    }

    /**
     * Begins a value in which all fields are zero, empty or absent, to be filled by the setters of the interface.
     * Fields of no fixed size are set once each, in their order.
     *
     * @param room most bytes to write
     * @return the same object at each call
     */
    public T begin(MemorySegment memory, long offset, int room) {
        view.$begin(memory, offset, room);
        return value;
    }

    /** Returns the bytes of the value: what {@link #wrap} was given, or what was written since {@link #begin}. */
    public int length() {
        return view.$length();
    }
}
