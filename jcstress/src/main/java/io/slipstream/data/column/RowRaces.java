package io.slipstream.data.column;

import io.slipstream.core.memory.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** The rows of a huge list, which its owner adds while another thread reads. */
public final class RowRaces {
    private static final int FIRST = 7;
    private static final int SECOND = 8;

    private RowRaces() {}

    private static Table table() {
        return new Table(BlockLayout.ofColumns(List.of(Width.LONG, Width.LONG), 64), new BlockStore() {
            @Override
            public Block allocate(int number, long bytes) {
                return new Block(Arena.ofAuto().allocate(bytes, Long.BYTES));
            }

            @Override
            public Region other(int number, long bytes, boolean isSealed) {
                throw new UnsupportedOperationException("nothing is sealed here");
            }

            @Override
            public void put(int number, Region region, boolean isSealed, Block former) {
                throw new UnsupportedOperationException("nothing is sealed here");
            }

            @Override
            public void release(int from) {
                // The collector does.
            }

            @Override
            public void close() {
                // The collector does.
            }
        });
    }

    private static void write(Table table) {
        MemorySegment block = table.block(0).memory();
        block.set(ValueLayout.JAVA_LONG, table.layout().offset(0), FIRST);
        block.set(ValueLayout.JAVA_LONG, table.layout().offset(1), SECOND);
    }

    private static void read(Table table, JJ_Result result) {
        if (table.rows() > 0) {
            MemorySegment block = table.block(0).memory();
            result.r2 = block.get(ValueLayout.JAVA_LONG, table.layout().offset(1));
            result.r1 = block.get(ValueLayout.JAVA_LONG, table.layout().offset(0));
        } else {
            result.r1 = -1;
            result.r2 = -1;
        }
    }

    /** A row that is counted is whole, and its block is there. */
    @JCStressTest
    @Outcome(
            id = {"-1, -1", FIRST + ", " + SECOND},
            expect = Expect.ACCEPTABLE,
            desc = "whole, or not yet")
    @Outcome(expect = Expect.FORBIDDEN, desc = "half a row")
    @State
    public static class Added {
        private final Table table = table();

        /** Adds a row, in a block that there was not. */
        @Actor
        public void owner() {
            table.reserve();
            write(table);
            table.publishRow();
        }

        /** Reads it. */
        @Actor
        public void reader(JJ_Result result) {
            read(table, result);
        }
    }

    /** Broken twin: counts the row before it is written. Must be found out. */
    @JCStressTest
    @JCStressMeta(Added.class)
    @State
    public static class BrokenCount {
        private final Table table = table();

        /** Adds a row. */
        @Actor
        public void owner() {
            table.reserve();
            table.publishRow();
            write(table);
        }

        /** Reads it. */
        @Actor
        public void reader(JJ_Result result) {
            read(table, result);
        }
    }
}
