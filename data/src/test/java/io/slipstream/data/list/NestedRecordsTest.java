package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.annotation.Optional;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The fields of a nested record have columns of their own. */
@ParameterizedClass
@EnumSource(ListLayout.class)
class NestedRecordsTest {
    enum Side {
        BUY,
        SELL
    }

    record Leg(long price, String note, @Nullable Integer lots, Side side) {}

    record Point(double x, double y) {}

    record Place(
            Point at, boolean isOpen, @Optional @Nullable Point exit) {}

    record Order(
            long id,
            Leg first,
            @Optional @Nullable Leg second,
            Place place,
            @Optional @Nullable Place other) {}

    interface Trade {
        long id();

        Trade id(long id);

        Leg leg();

        Trade leg(Leg leg);

        @Optional
        @Nullable
        Leg other();

        Trade other(@Nullable Leg other);
    }

    record Endless(int value, @Optional @Nullable Endless next) {}

    sealed interface Shape {}

    record Dot(int x) implements Shape {}

    record Shaped(Shape shape) {}

    record Listed(List<Leg> legs) {}

    record Named(String name) {}

    record Owner(Named named) {}

    @TempDir
    Path folder;

    private final ListLayout layout;

    NestedRecordsTest(ListLayout layout) {
        this.layout = layout;
    }

    @Test
    void givesBackWhatWasPutIntoItAlsoFromFiles() throws IOException {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        List<Order> model = new ArrayList<>();
        HugeListBuilder<Order> builder =
                layout.builder(Order.class).rowsPerBlock(64).identity("id");
        try (HugeList<Order> list = builder.create(folder.resolve("orders"))) {
            for (int i = 0; i < 500; i++) {
                if (i > 0 && random.nextBoolean()) {
                    int row = random.nextInt(i);
                    Order changed = order(row, random);
                    model.set(row, changed);
                    list.set(row, changed);
                }
                Order order = order(i, random);
                model.add(order);
                list.add(order);
            }
            check(list, model, seed);
            list.commit();
        }
        try (HugeList<Order> list = builder.open(folder.resolve("orders"))) {
            check(list, model, seed);
            assertThat(list.get(list.rowOf(77))).isEqualTo(model.get(77));
        }
    }

    private static void check(HugeList<Order> list, List<Order> model, long seed) {
        assertThat(list.asList()).as("seed %s", seed).isEqualTo(model);
        List<Leg> seconds =
                model.stream().map(Order::second).filter(Objects::nonNull).toList();
        assertThat(list.longs("first.price").sum())
                .isEqualTo(model.stream().mapToLong(o -> o.first().price()).sum());
        assertThat(list.longs("second.price").count()).isEqualTo(seconds.size());
        assertThat(list.longs("second.price").sum())
                .isEqualTo(seconds.stream().mapToLong(Leg::price).sum());
        assertThat(list.longs("second.lots").count())
                .isEqualTo(seconds.stream().filter(l -> l.lots() != null).count());
        assertThat(list.whereText("first.note", "n3").count())
                .isEqualTo(model.stream()
                        .filter(o -> o.first().note().equals("n3"))
                        .count());
        assertThat(list.doubles("place.at.x").max())
                .isEqualTo(model.stream()
                        .mapToDouble(o -> o.place().at().x())
                        .max()
                        .orElseThrow());
        assertThat(list.doubles("other.exit.y").count())
                .isEqualTo(model.stream()
                        .map(Order::other)
                        .filter(o -> o != null && o.exit() != null)
                        .count());
        assertThat(list.booleans("place.isOpen").count())
                .isEqualTo(model.stream().filter(o -> o.place().isOpen()).count());
    }

    private static Order order(int id, SplittableRandom random) {
        return new Order(
                id,
                leg(random),
                random.nextBoolean() ? leg(random) : null,
                place(random),
                random.nextBoolean() ? place(random) : null);
    }

    private static Leg leg(SplittableRandom random) {
        return new Leg(
                random.nextInt(1_000),
                "n" + random.nextInt(9),
                random.nextBoolean() ? random.nextInt() : null,
                random.nextBoolean() ? Side.BUY : Side.SELL);
    }

    private static Place place(SplittableRandom random) {
        return new Place(
                new Point(random.nextDouble(), 1),
                random.nextBoolean(),
                random.nextBoolean() ? new Point(2, random.nextDouble()) : null);
    }

    @Test
    void isReadAndWrittenThroughAnInterface() {
        try (HugeList<Trade> list = layout.of(Trade.class)) {
            Leg leg = new Leg(5, "a", null, Side.SELL);
            list.append().id(1).leg(leg);
            list.append().id(2).leg(leg).other(new Leg(6, "b", 7, Side.BUY));
            assertThat(list.get(0).leg()).isEqualTo(leg);
            assertThat(list.get(0).other()).isNull();
            assertThat(list.get(1).other()).isEqualTo(new Leg(6, "b", 7, Side.BUY));
            list.get(1).other(null);
            assertThat(list.get(1).other()).isNull();
            assertThat(list.longs("other.price").count()).isZero();
            assertThat(list.get(1))
                    .hasToString("Trade[id=2, leg.price=5, leg.note=a, leg.lots=null, leg.side=SELL, "
                            + "other.price=null, other.note=null, other.lots=null, other.side=null]");
        }
    }

    @Test
    void refusesWhatHasNoColumnsAndNamesTheField() {
        assertThatThrownBy(() -> layout.of(Endless.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Endless.next")
                .hasMessageContaining("itself");
        assertThatThrownBy(() -> layout.of(Shaped.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Shaped.shape")
                .hasMessageContaining("nested records");
        assertThatThrownBy(() -> layout.of(Listed.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Listed.legs");
    }

    @Test
    void refusesNullForARecordThatMustBeThereAndStaysAsItWas() {
        try (HugeList<Owner> list = layout.of(Owner.class)) {
            assertThatThrownBy(() -> list.add(new Owner(null)))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("Owner.named");
            assertThat(list.size()).isZero();
            list.add(new Owner(new Named("a")));
            assertThat(list.get(0)).isEqualTo(new Owner(new Named("a")));
        }
    }
}
