package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.testing.ListTestSuiteBuilder;
import com.google.common.collect.testing.SampleElements;
import com.google.common.collect.testing.TestListGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.ListFeature;
import io.slipstream.data.annotation.Scale;
import io.slipstream.data.column.DoubleGroups;
import io.slipstream.data.column.LongGroups;
import io.slipstream.data.column.RowSet;
import io.slipstream.testkit.Allocations;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import junit.framework.TestResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(ListLayout.class)
class HugeListTest {
    enum Side {
        BUY,
        SELL
    }

    /** One field of each kind. */
    record Everything(
            boolean flag,
            byte b,
            short s,
            char c,
            int i,
            long l,
            float f,
            double d,
            Integer box,
            Boolean maybe,
            Side side,
            String text,
            @Scale(2) BigDecimal amount,
            @Scale(4) long mantissa,
            Instant at,
            Duration took,
            LocalDate day,
            UUID uuid) {}

    /** An element that is filled in. */
    interface Trade {
        long id();

        Trade id(long id);

        int getQuantity();

        void setQuantity(int quantity);

        String symbol();

        Trade symbol(String symbol);

        Side side();

        Trade side(Side side);

        boolean isOpen();

        void setOpen(boolean open);
    }

    record Named(String name, int value) {}

    record Listed(List<Named> inner) {}

    private final ListLayout layout;

    HugeListTest(ListLayout layout) {
        this.layout = layout;
    }

    @Test
    void goesToManyRowsAtOnceAndPassesOverThoseThatAreNotThere() {
        SplittableRandom random = new SplittableRandom(7);
        try (HugeList<Trade> list =
                layout.builder(Trade.class).rowsPerBlock(64).identity("id").inMemory()) {
            for (int id = 0; id < 500; id++) {
                list.append().id(3 * id).setQuantity(id);
            }
            long[] keys = random.longs(1_000, -1, 1_502).toArray();
            keys[0] = 3 * 499;
            long[] rows = new long[keys.length];
            list.rowsOf(keys, rows);
            long[] found = new long[keys.length];
            Arrays.fill(found, -1);
            Cursor<Trade> cursor = list.cursor();
            cursor.forEach(rows, (trade, place) -> {
                assertThat(trade.id()).isEqualTo(keys[place]);
                found[place] = trade.getQuantity();
            });
            assertThat(found).isEqualTo(rows);
            assertThat(rows).contains(-1).contains(499);
            cursor.forEach(new long[0], (_, _) -> assertThat(true).isFalse());
            List<Integer> called = new ArrayList<>();
            assertThatThrownBy(() -> cursor.forEach(new long[] {0, 500}, (_, place) -> called.add(place)))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage("row 500 of 500, at place 1");
            assertThatThrownBy(() -> cursor.forEach(new long[] {-2}, (_, place) -> called.add(place)))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThat(called).isEmpty();
        }
    }

    @Test
    void givesBackWhatWasPutIntoItOverManyBlocks() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        List<Everything> model = new ArrayList<>();
        try (HugeList<Everything> list =
                layout.builder(Everything.class).rowsPerBlock(64).inMemory()) {
            for (int i = 0; i < 1_000; i++) {
                if (i > 0 && random.nextInt(4) == 0) {
                    int row = random.nextInt(model.size());
                    Everything element = random(random);
                    model.set(row, element);
                    list.set(row, element);
                }
                Everything element = random(random);
                model.add(element);
                assertThat(list.add(element)).isEqualTo(i);
            }
            assertThat(list.asList()).as("seed %s", seed).isEqualTo(model);
            assertThat(list.stream().toList()).isEqualTo(model);
            List<Everything> iterated = new ArrayList<>();
            list.forEach(iterated::add);
            assertThat(iterated).isEqualTo(model);
            assertThat(list.booleans("flag").count())
                    .isEqualTo(model.stream().filter(Everything::flag).count());
            assertThat(list.longs("box").sum())
                    .isEqualTo(model.stream()
                            .filter(e -> e.box() != null)
                            .mapToLong(Everything::box)
                            .sum());
            assertThat(list.longs("box").count())
                    .isEqualTo(model.stream().filter(e -> e.box() != null).count());
            assertThat(list.longs("b").min())
                    .isEqualTo(model.stream().mapToLong(Everything::b).min().orElseThrow());
            assertThat(list.longs("c").max())
                    .isEqualTo(model.stream().mapToLong(Everything::c).max().orElseThrow());
            assertThat(list.longs("s").sum())
                    .isEqualTo(model.stream().mapToLong(Everything::s).sum());
            assertThat(list.longs("i").countBetween(-1000, 1 << 30))
                    .isEqualTo(model.stream()
                            .filter(e -> e.i() >= -1000 && e.i() <= 1 << 30)
                            .count());
            assertThat(list.doubles("d").sum()).isEqualTo(sum(model));
            assertThat(list.doubles("f").max())
                    .isEqualTo(model.stream().mapToDouble(Everything::f).max().orElseThrow());
            assertThat(list.doubles("d").min())
                    .isEqualTo(model.stream().mapToDouble(Everything::d).min().orElseThrow());
            assertThat(list.doubles("f").countBetween(-1, 0.5))
                    .isEqualTo(model.stream()
                            .filter(e -> e.f() >= -1 && e.f() <= 0.5)
                            .count());
            assertThat(list.doubles("d").countWhere(d -> d > 0.5))
                    .isEqualTo(model.stream().filter(e -> e.d() > 0.5).count());
            assertThat(Arrays.stream(list.doubles("d").sortedRows())
                            .mapToObj(list::get)
                            .toList())
                    .isEqualTo(model.stream()
                            .sorted(Comparator.comparingDouble(Everything::d))
                            .toList());
            DoubleGroups averages = list.doubles("d").groupBy(list.longs("side"));
            for (Side side : Side.values()) {
                List<Everything> its =
                        model.stream().filter(e -> e.side() == side).toList();
                assertThat(averages.count(side.ordinal())).isEqualTo(its.size());
                assertThat(averages.sum(side.ordinal())).isEqualTo(sum(its));
                assertThat(list.doubles("d").sum(list.longs("side").whereBetween(side.ordinal(), side.ordinal())))
                        .isEqualTo(sum(its));
                assertThat(averages.min(side.ordinal()))
                        .isEqualTo(its.stream().mapToDouble(Everything::d).min().orElse(Double.POSITIVE_INFINITY));
                assertThat(averages.max(side.ordinal()))
                        .isEqualTo(its.stream().mapToDouble(Everything::d).max().orElse(Double.NEGATIVE_INFINITY));
            }
            RowSet buys = list.longs("side").where(side -> side == Side.BUY.ordinal());
            assertThat(buys.count())
                    .isEqualTo(model.stream().filter(e -> e.side() == Side.BUY).count());
            assertThat(list.longs("l").sum(buys))
                    .isEqualTo(model.stream()
                            .filter(e -> e.side() == Side.BUY)
                            .mapToLong(Everything::l)
                            .sum());
            assertThat(Arrays.stream(list.longs("l").sortedRows())
                            .mapToObj(list::get)
                            .toList())
                    .isEqualTo(model.stream()
                            .sorted(Comparator.comparingLong(Everything::l))
                            .toList());
            LongGroups groups = list.longs("i").groupBy(list.longs("text"));
            model.stream()
                    .collect(Collectors.groupingBy(Everything::text, Collectors.summarizingLong(Everything::i)))
                    .forEach((text, figures) -> {
                        int code = list.codeOf("text", text);
                        assertThat(groups.count(code)).isEqualTo(figures.getCount());
                        assertThat(groups.sum(code)).isEqualTo(figures.getSum());
                        assertThat(groups.min(code)).isEqualTo(figures.getMin());
                        assertThat(groups.max(code)).isEqualTo(figures.getMax());
                    });
        }
    }

    private static double sum(List<Everything> model) {
        double sum = 0;
        for (Everything element : model) {
            sum += element.d();
        }
        return sum;
    }

    static Everything random(SplittableRandom random) {
        return new Everything(
                random.nextBoolean(),
                (byte) random.nextInt(),
                (short) random.nextInt(),
                (char) random.nextInt(),
                random.nextInt(),
                random.nextLong(),
                (float) random.nextDouble(-2, 2),
                random.nextDouble(-2, 2),
                random.nextBoolean() ? null : (Integer) random.nextInt(),
                new Boolean[] {null, true, false}[random.nextInt(3)],
                Side.values()[random.nextInt(2)],
                "text " + random.nextInt(20),
                BigDecimal.valueOf(random.nextInt(), 2),
                random.nextLong(),
                Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)),
                Duration.ofNanos(random.nextLong()),
                LocalDate.ofEpochDay(random.nextInt(100_000)),
                new UUID(random.nextLong(), random.nextLong()));
    }

    @Test
    void fillsInElementsOfAnInterface() {
        try (HugeList<Trade> list = layout.builder(Trade.class).rowsPerBlock(64).inMemory()) {
            for (int i = 0; i < 500; i++) {
                Trade trade = list.append().id(i).symbol("S" + i % 3).side(i % 2 == 0 ? Side.BUY : Side.SELL);
                trade.setQuantity(i * 2);
                trade.setOpen(i % 5 == 0);
            }
            Cursor<Trade> trades = list.cursor();
            for (int i = 0; trades.next(); i++) {
                Trade trade = trades.element();
                assertThat(trade.id()).isEqualTo(i);
                assertThat(trade.getQuantity()).isEqualTo(i * 2);
                assertThat(trade.symbol()).isEqualTo("S" + i % 3);
                assertThat(trade.side()).isEqualTo(i % 2 == 0 ? Side.BUY : Side.SELL);
                assertThat(trade.isOpen()).isEqualTo(i % 5 == 0);
            }
            assertThat(trades.row()).isEqualTo(499);
            assertThat(list.get(7)).hasToString("Trade[id=7, open=false, quantity=14, side=SELL, symbol=S1]");
            assertThat(list.whereText("symbol", "S1").count()).isEqualTo(167);
            assertThat(list.whereText("symbol", "none").count()).isZero();
            assertThat(list.add(list.get(3))).isEqualTo(500);
            assertThat(list.get(500).symbol()).isEqualTo("S0");
        }
    }

    @Test
    void findsElementsByTheirIdentity() {
        try (HugeList<Trade> list = layout.builder(Trade.class).identity("id").inMemory();
                HugeList<Named> named =
                        layout.builder(Named.class).identity("name").inMemory()) {
            for (int i = 0; i < 1_000; i++) {
                list.append().id(i * 7L);
                named.add(new Named("n" + i, i));
            }
            assertThat(list.rowOf(700)).isEqualTo(100);
            assertThat(list.rowOf(701)).isEqualTo(-1);
            assertThat(named.rowOf("n17")).isEqualTo(17);
            assertThat(named.rowOf("n1000")).isEqualTo(-1);
            assertThatThrownBy(() -> list.rowOf("n17"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is no text; find an element by its number");
            assertThatThrownBy(() -> named.add(new Named("n17", 0)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("row 17 has the identity 'n17' already");
            assertThat(named.size()).isEqualTo(1_000);
            assertThatThrownBy(() -> list.get(3).id(99_999))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("an identity does not change");
            named.set(17, new Named("n17", 5));
            assertThat(named.get(17).value()).isEqualTo(5);
        }
    }

    @Test
    void saysWhichFieldCannotBe() {
        assertThatThrownBy(() -> layout.of(Listed.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Listed.inner");
        try (HugeList<Named> list = layout.of(Named.class)) {
            assertThatThrownBy(() -> list.add(new Named(null, 1)))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("Named.name");
            assertThat(list.size()).isZero();
            assertThatThrownBy(() -> list.longs("nme")).hasMessageContaining("has no field nme");
            assertThatThrownBy(() -> list.doubles("value")).hasMessageContaining("Named.value is int");
            assertThatThrownBy(() -> list.get(0)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(list::append).hasMessageContaining("use add()");
            assertThatThrownBy(list::commit).hasMessageContaining("in native memory");
            assertThatThrownBy(() -> list.rowOf(1)).hasMessageContaining("has no identity");
            assertThatThrownBy(() -> list.rowOf("n1")).hasMessageContaining("has no identity");
        }
    }

    @Test
    void refusesATimeThatAColumnCannotHold() {
        record Event(Instant at) {}
        try (HugeList<Event> list = layout.of(Event.class)) {
            assertThatThrownBy(() -> list.add(new Event(Instant.MAX)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("years 1677 to 2262");
        }
    }

    @Test
    void makesNoGarbageWhenItIsAppendedToAndRead() throws Exception {
        try (HugeList<Trade> list = layout.of(Trade.class)) {
            Cursor<Trade> cursor = list.cursor();
            Allocations.none(() -> {
                fill(list, 20_000);
                assertThat(sum(cursor)).isPositive();
            });
        }
    }

    private static void fill(HugeList<Trade> list, int count) {
        for (int i = 0; i < count; i++) {
            list.append().id(i).symbol("IBM").side(Side.SELL).setQuantity(3);
        }
    }

    private static long sum(Cursor<Trade> trades) {
        long sum = 0;
        while (trades.next()) {
            sum += trades.element().getQuantity() + trades.element().symbol().length();
        }
        return sum;
    }

    @Test
    void isAListThatKeepsTheContract() {
        TestResult result = new TestResult();
        ListTestSuiteBuilder.using(new Views())
                .named("HugeList.asList")
                .withFeatures(
                        CollectionSize.ANY,
                        CollectionFeature.SUPPORTS_ADD,
                        CollectionFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION,
                        ListFeature.SUPPORTS_SET,
                        CollectionFeature.KNOWN_ORDER)
                .createTestSuite()
                .run(result);
        assertThat(result.runCount()).isGreaterThan(100);
        result.failures()
                .asIterator()
                .forEachRemaining(f -> assertThat(f.toString() + f.trace()).isEmpty());
        result.errors()
                .asIterator()
                .forEachRemaining(f -> assertThat(f.toString() + f.trace()).isEmpty());
    }

    private final class Views implements TestListGenerator<Named> {
        @Override
        public SampleElements<Named> samples() {
            List<Named> samples =
                    IntStream.range(0, 5).mapToObj(i -> new Named("n" + i, i)).toList();
            return new SampleElements<>(samples.get(0), samples.get(1), samples.get(2), samples.get(3), samples.get(4));
        }

        @Override
        public List<Named> create(Object... elements) {
            HugeList<Named> list = layout.builder(Named.class).rowsPerBlock(64).inMemory();
            for (Object element : elements) {
                list.add((Named) element);
            }
            return list.asList();
        }

        @Override
        public Named[] createArray(int length) {
            return new Named[length];
        }

        @Override
        public Iterable<Named> order(List<Named> insertionOrder) {
            return insertionOrder;
        }
    }
}
