package io.slipstream.data.wire;

import io.slipstream.data.schema.Definition;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Stands for a record that refers to itself while the class that reads and writes it is being generated. */
public final class LateStruct extends Struct<Object> {
    private volatile @Nullable Struct<Object> target;

    /** Creates it for a definition. */
    public LateStruct(Definition definition) {
        super(definition);
    }

    /** Sets what it stands for. */
    public void target(Struct<Object> known) {
        target = known;
    }

    private Struct<Object> target() {
        return Objects.requireNonNull(target);
    }

    @Override
    protected long header() {
        return target().header();
    }

    @Override
    protected int blockBytes() {
        return target().blockBytes();
    }

    @Override
    protected int write(Object value, MemorySegment m, long base, int block, int end, int limit, int depth) {
        return target().write(value, m, base, block, end, limit, depth);
    }

    @Override
    protected Object read(Input in, int block, int version) {
        return target().read(in, block, version);
    }

    @Override
    protected int tail(Object value, int depth) {
        return target().tail(value, depth);
    }

    @Override
    protected int writeWhole(Object value, MemorySegment m, long base, int end, int limit, int depth) {
        return target().writeWhole(value, m, base, end, limit, depth);
    }

    @Override
    protected Object readWhole(Input in, int start) {
        return target().readWhole(in, start);
    }

    @Override
    protected int wholeBytes(Object value, int depth) {
        return target().wholeBytes(value, depth);
    }
}
