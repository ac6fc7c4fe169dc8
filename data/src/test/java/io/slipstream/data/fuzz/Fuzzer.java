package io.slipstream.data.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Gives a decoder damaged copies of good bytes, and noise. Each time it has to give a value or the exception that it
 * documents, whatever stands before and behind the bytes, and with no more memory than the bytes are worth.
 *
 * <p>{@code -Dslipstream.data.mutations=1000000} gives each decoder so many; a failure prints its seed and its bytes.
 */
final class Fuzzer {
    private static final int MUTATIONS = Integer.getInteger("slipstream.data.mutations", 5_000);
    private static final int MARGIN = 24;
    private static final long BYTES_FOR_EACH = 2_000;
    private static final long BYTES_AT_ALL = 256 << 10;
    private static final int ATTEMPTS_TO_NEED_LITTLE = 3;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final List<byte[]> good;
    private final Class<? extends Exception> documented;
    private final byte[] alphabet;
    private final long seed = Long.getLong("slipstream.data.seed", System.nanoTime());

    /** Decodes a part of an array. */
    @FunctionalInterface
    interface Decoder {
        /** Returns what it decoded, as something that tells by {@code equals} whether it is the same again. */
        Object decode(byte[] bytes, int begin, int end) throws Exception;
    }

    /**
     * Creates one.
     *
     * @param documented what a decoder throws at wrong bytes
     * @param alphabet bytes that are likely to mean something, beside any
     * @param good what a decoder takes
     */
    Fuzzer(Class<? extends Exception> documented, String alphabet, List<byte[]> good) {
        this.documented = documented;
        this.alphabet = alphabet.getBytes(StandardCharsets.ISO_8859_1);
        this.good = good;
    }

    static Fuzzer ofTexts(Class<? extends Exception> documented, String alphabet, String... good) {
        return new Fuzzer(
                documented,
                alphabet,
                Arrays.stream(good).map(t -> t.getBytes(StandardCharsets.UTF_8)).toList());
    }

    /** Returns the part of all mutations that the decoder refused, from 0 to 1. */
    double run(Decoder decoder) {
        int refused = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            Random random = new Random(seed + i);
            byte[] bytes = mutation(random);
            Object first = attempt(decoder, bytes, (byte) 0, i);
            Object second = attempt(decoder, bytes, (byte) (random.nextBoolean() ? '1' : 0xff), i);
            if (!first.equals(second)) {
                throw failure(
                        i,
                        bytes,
                        "what stands around the bytes changes the outcome from " + first + " to " + second,
                        null);
            }
            if (first instanceof Refusal) {
                refused++;
            }
        }
        return (double) refused / MUTATIONS;
    }

    private record Refusal(String message) {}

    private Object attempt(Decoder decoder, byte[] bytes, byte around, int number) {
        byte[] within = new byte[MARGIN + bytes.length + MARGIN];
        Arrays.fill(within, around);
        System.arraycopy(bytes, 0, within, MARGIN, bytes.length);
        byte[] before = within.clone();
        Object outcome = null;
        long allocated = Long.MAX_VALUE;
        // More than once, since a first use loads classes.
        for (int i = 0; i < ATTEMPTS_TO_NEED_LITTLE && allocated > BYTES_AT_ALL + BYTES_FOR_EACH * bytes.length; i++) {
            allocated = THREADS.getCurrentThreadAllocatedBytes();
            outcome = outcome(decoder, within, bytes, number);
            allocated = THREADS.getCurrentThreadAllocatedBytes() - allocated;
        }
        if (allocated > BYTES_AT_ALL + BYTES_FOR_EACH * bytes.length) {
            throw failure(number, bytes, "allocated " + allocated + " bytes", null);
        }
        if (!Arrays.equals(within, before)) {
            throw failure(number, bytes, "changed what it reads", null);
        }
        return Objects.requireNonNull(outcome);
    }

    private Object outcome(Decoder decoder, byte[] within, byte[] bytes, int number) {
        try {
            return decoder.decode(within, MARGIN, MARGIN + bytes.length);
        } catch (Throwable e) {
            if (!documented.isInstance(e)) {
                throw failure(number, bytes, "not the documented " + documented.getSimpleName(), e);
            }
            return new Refusal(Objects.requireNonNull(e.getMessage(), "a message"));
        }
    }

    private AssertionError failure(int number, byte[] bytes, String what, @Nullable Throwable cause) {
        return new AssertionError(
                what + "; -Dslipstream.data.seed=" + (seed + number) + ", bytes "
                        + HexFormat.of().formatHex(bytes) + " = '" + new String(bytes, StandardCharsets.ISO_8859_1)
                        + "'",
                cause);
    }

    private byte[] mutation(Random random) {
        if (random.nextInt(20) == 0) {
            byte[] noise = new byte[random.nextInt(64)];
            random.nextBytes(noise);
            return noise;
        }
        byte[] bytes = good.get(random.nextInt(good.size())).clone();
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            bytes = changed(bytes, random);
        }
        return bytes;
    }

    private byte[] changed(byte[] bytes, Random random) {
        int at = random.nextInt(bytes.length + 1);
        int other = random.nextInt(bytes.length + 1);
        return switch (random.nextInt(7)) {
            case 0 -> Arrays.copyOf(bytes, at);
            case 1 -> joined(bytes, Math.min(at, other), new byte[0], Math.max(at, other));
            case 2 -> joined(bytes, at, Arrays.copyOfRange(bytes, Math.min(at, other), Math.max(at, other)), at);
            case 3 -> joined(bytes, at, new byte[] {alphabet[random.nextInt(alphabet.length)]}, at);
            case 4 -> {
                byte[] another = good.get(random.nextInt(good.size()));
                yield joined(
                        bytes,
                        at,
                        Arrays.copyOfRange(another, random.nextInt(another.length + 1), another.length),
                        bytes.length);
            }
            case 5 -> extreme(bytes, at, random);
            default -> {
                byte[] flipped = bytes.clone();
                if (at < bytes.length) {
                    flipped[at] = random.nextBoolean()
                            ? alphabet[random.nextInt(alphabet.length)]
                            : (byte) (flipped[at] ^ 1 << random.nextInt(8));
                }
                yield flipped;
            }
        };
    }

    /** Overwrites up to eight bytes with a number that a length or an offset must not be. */
    private static byte[] extreme(byte[] bytes, int at, Random random) {
        long[] numbers = {-1, 0, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MIN_VALUE, 0xffff, bytes.length, 1L << 30};
        long number = numbers[random.nextInt(numbers.length)] + random.nextInt(3) - 1;
        byte[] changed = bytes.clone();
        for (int i = at; i < Math.min(bytes.length, at + (1 << random.nextInt(4))); i++) {
            changed[i] = (byte) (number >>> 8 * (i - at));
        }
        return changed;
    }

    private static byte[] joined(byte[] bytes, int end, byte[] between, int begin) {
        byte[] joined = Arrays.copyOf(bytes, end + between.length + bytes.length - begin);
        System.arraycopy(between, 0, joined, end, between.length);
        System.arraycopy(bytes, begin, joined, end + between.length, bytes.length - begin);
        return joined;
    }
}
