package io.slipstream.data.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.slipstream.data.annotation.Length;
import io.slipstream.data.annotation.MaxLength;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Encoding, flyweights and decoding into an object allocate nothing. */
class CodecAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int CALLS = 10_000;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    enum Side {
        BUY,
        SELL
    }

    record Order(long id, @MaxLength(16) String symbol, Side side, double price, List<Leg> legs, long[] levels) {}

    record Leg(int ratio, String name) {}

    interface Quote {
        long bid();

        void bid(long bid);

        double ask();

        Side side();

        void side(Side side);
    }

    static class Thing {
        long number;
        boolean flag;

        @Length(4)
        double[] doubles = new double[4];
    }

    private static final Codec<Order> ORDERS = Codec.of(Order.class);
    private static final Codec<Quote> QUOTES = Codec.of(Quote.class);
    private static final Codec<Thing> THINGS = Codec.of(Thing.class);

    /** Returns what the last of the rounds allocated, which go on until nothing was: until all is compiled. */
    private static long allocated(Runnable one) {
        long begin = System.nanoTime();
        long bytes = 1;
        while (bytes != 0 && System.nanoTime() - begin < PATIENCE_NANOS) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                one.run();
            }
            bytes = (THREADS.getCurrentThreadAllocatedBytes() - before) / CALLS;
        }
        return bytes;
    }

    private enum Use {
        ENCODING {
            @Override
            long bytes(MemorySegment memory) {
                Order order = new Order(
                        1, "EURUSD ä", Side.SELL, 1.5, List.of(new Leg(1, "EUR"), new Leg(2, "USD")), new long[5]);
                return allocated(() -> ORDERS.encode(order, memory, 0, ORDERS.sizeOf(order)));
            }
        },
        FLYWEIGHT {
            @Override
            long bytes(MemorySegment memory) {
                Flyweight<Quote> flyweight = QUOTES.flyweight();
                long[] sum = new long[1];
                return allocated(() -> {
                    Quote quote = flyweight.begin(memory, 0, 100);
                    quote.bid(5);
                    quote.side(Side.SELL);
                    Quote read = flyweight.wrap(memory, 0, flyweight.length());
                    sum[0] += read.bid() + (long) read.ask() + read.side().ordinal();
                });
            }
        },
        DECODING_INTO_AN_OBJECT {
            @Override
            long bytes(MemorySegment memory) {
                Thing thing = new Thing();
                int length = THINGS.encode(thing, memory, 0);
                return allocated(() -> THINGS.decodeInto(thing, memory, 0, length));
            }
        };

        /** Returns the bytes of a call. */
        abstract long bytes(MemorySegment memory);
    }

    /** What the child process runs. */
    static final class Child {
        public static void main(String[] use) {
            try (Arena arena = Arena.ofConfined()) {
                System.out.println(Use.valueOf(use[0]).bytes(arena.allocate(500)));
            }
        }
    }

    /**
     * In a process of its own: what other tests have taught the compiler about the same code of the JDK decides whether
     * it keeps short-lived objects off the heap.
     */
    @ParameterizedTest
    @EnumSource
    void allocatesNothing(Use use) throws IOException, InterruptedException {
        String paths = Stream.of("target/classes", "target/test-classes", "../core/target/classes")
                .map(folder -> Path.of(folder).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path") + File.pathSeparator + paths,
                        Child.class.getName(),
                        use.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).isZero();
        assertThat(said).as("bytes a call").isEqualTo("0");
    }
}
