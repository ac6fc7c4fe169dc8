package io.slipstream.cli.schema;

import io.slipstream.data.annotation.Default;
import io.slipstream.data.annotation.Id;
import io.slipstream.data.annotation.Length;
import io.slipstream.data.annotation.Name;
import io.slipstream.data.annotation.Optional;
import io.slipstream.data.annotation.Scale;
import io.slipstream.data.annotation.Since;
import io.slipstream.data.schema.Definitions;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Records of every type, and the vectors of the document, for tests of readers in other languages. */
final class WireRecords {
    private static final Path VECTORS = Path.of("../data/src/test/resources/io/slipstream/data/messages.txt");

    private WireRecords() {}

    enum Side {
        BUY,
        SELL,
        None
    }

    @Id(1)
    record Leg(int ratio, String name, @Optional @Nullable Leg next) {}

    sealed interface Shape permits Circle, Square {}

    @Id(2)
    record Circle(double radius) implements Shape {}

    @Id(3)
    record Square(float side, List<String> names) implements Shape {}

    @Id(4)
    record Nothing() {}

    @Id(5)
    record All(
            boolean flag,
            byte small,
            short medium,
            char letter,
            int number,
            long big,
            float real,
            double wide,
            @Scale(2) BigDecimal price,
            Side side,
            Instant at,
            Duration took,
            LocalDate day,
            UUID key,
            @Length(3) int[] exact,
            @Nullable Integer maybe,
            @Optional @Nullable Side perhaps,
            String from,
            @Optional @Nullable String note,
            byte[] data,
            char[] letters,
            double[] values,
            List<Integer> numbers,
            List<Side> sides,
            List<String> words,
            List<List<String>> pages,
            List<Leg> legs,
            @Optional @Nullable List<Leg> more,
            List<Shape> shapes,
            Shape shape,
            Nothing nothing) {}

    @Id(6)
    @Name("Versioned")
    record First(int id, String text) {}

    @Id(6)
    @Name("Versioned")
    record Second(
            int id,
            String text,
            @Since(2) @Default("7") long added,
            @Since(2) @Optional @Nullable Integer maybe,
            @Since(2) @Default("SELL") Side side,
            @Since(2) @Default("say \"hé\" \\") String word,
            @Since(2) @Default("-1.5") @Scale(2) BigDecimal price,
            @Since(2) @Default("-PT0.5S") Duration took,
            @Since(2) List<String> words) {}

    static All full() {
        Leg leg = new Leg(-1, "é€😀", new Leg(2, "", null));
        return new All(
                true,
                (byte) -3,
                (short) -300,
                'é',
                -70_000,
                Long.MIN_VALUE,
                1.5f,
                Math.PI,
                new BigDecimal("-12.34"),
                Side.None,
                Instant.ofEpochSecond(-5, 7),
                Duration.ofNanos(-1),
                LocalDate.of(1969, 12, 31),
                new UUID(-1, 2),
                new int[] {1, -2, 3},
                -9,
                Side.SELL,
                "from",
                "",
                new byte[] {-1, 0, 1},
                new char[] {'a', 'é'},
                new double[] {0.5, -0.5},
                List.of(1, -1),
                List.of(Side.SELL, Side.BUY),
                List.of("", "a", ""),
                List.of(List.of(), List.of("b", "")),
                List.of(leg, new Leg(3, "c", null)),
                List.of(),
                List.of(new Circle(2), new Square(3, List.of("s"))),
                new Square(0, List.of()),
                new Nothing());
    }

    static All empty() {
        return new All(
                false,
                (byte) 0,
                (short) 0,
                '\0',
                0,
                0,
                0,
                0,
                new BigDecimal("0.00"),
                Side.BUY,
                Instant.EPOCH,
                Duration.ZERO,
                LocalDate.EPOCH,
                new UUID(0, 0),
                new int[3],
                null,
                null,
                "",
                null,
                new byte[0],
                new char[0],
                new double[0],
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                null,
                List.of(),
                new Circle(0),
                new Nothing());
    }

    /** Returns a value with something else in each field. */
    static All random(Random random) {
        return new All(
                random.nextBoolean(),
                (byte) random.nextInt(),
                (short) random.nextInt(),
                (char) random.nextInt(),
                random.nextInt(),
                random.nextLong(),
                random.nextFloat(),
                random.nextGaussian(),
                BigDecimal.valueOf(random.nextLong(), 2),
                side(random),
                Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)),
                Duration.ofSeconds(random.nextLong() >> 1, random.nextInt(1_000_000_000)),
                LocalDate.ofEpochDay(random.nextInt()),
                new UUID(random.nextLong(), random.nextLong()),
                random.ints(3).toArray(),
                random.nextBoolean() ? null : (Integer) random.nextInt(),
                random.nextBoolean() ? null : side(random),
                text(random),
                random.nextBoolean() ? null : text(random),
                text(random).getBytes(StandardCharsets.UTF_8),
                text(random).toCharArray(),
                random.doubles(random.nextInt(3)).toArray(),
                list(random, random::nextInt),
                list(random, () -> side(random)),
                list(random, () -> text(random)),
                list(random, () -> list(random, () -> text(random))),
                list(random, () -> leg(random)),
                random.nextBoolean() ? null : list(random, () -> leg(random)),
                list(random, () -> shape(random)),
                shape(random),
                new Nothing());
    }

    private static Side side(Random random) {
        return Side.values()[random.nextInt(3)];
    }

    private static String text(Random random) {
        return "aé€😀 \0b?".substring(random.nextInt(3)).repeat(random.nextInt(3));
    }

    private static Leg leg(Random random) {
        return new Leg(random.nextInt(), text(random), random.nextBoolean() ? null : leg(random));
    }

    private static Shape shape(Random random) {
        return random.nextBoolean()
                ? new Circle(random.nextGaussian())
                : new Square(random.nextFloat(), list(random, () -> text(random)));
    }

    private static <T> List<T> list(Random random, Supplier<T> element) {
        return Stream.generate(element).limit(random.nextInt(4)).toList();
    }

    /** They were computed from {@code docs/data-format.md} alone; Java reads them in {@code MessageVectorsTest}. */
    static List<String[]> vectors() throws IOException {
        return Files.readAllLines(VECTORS).stream()
                .filter(line -> line.matches("# (write|read|refuse) .*"))
                .map(line -> line.split(" ", 6))
                .toList();
    }

    static Definitions definitionsOfVectors() throws IOException {
        return Definitions.parse(Files.readString(VECTORS));
    }
}
