package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.annotation.Optional;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** When a row becomes visible, and that a refused element never was. */
@ParameterizedClass
@EnumSource(ListLayout.class)
class AppendTest {
    record Leg(long ratio, Instant at) {}

    interface Trade {
        long id();

        Trade id(long id);

        long price();

        Trade price(long price);

        String symbol();

        Trade symbol(String symbol);

        @Optional
        @Nullable
        Instant at();

        Trade at(@Nullable Instant at);

        @Optional
        @Nullable
        Leg leg();

        Trade leg(@Nullable Leg leg);
    }

    @TempDir
    Path temp;

    private final ListLayout layout;
    private final HugeList<Trade> list;

    AppendTest(ListLayout layout) {
        this.layout = layout;
        this.list = layout.builder(Trade.class).rowsPerBlock(64).identity("id").inMemory();
    }

    @AfterEach
    void close() {
        list.close();
    }

    private long sizeToAnother() {
        AtomicLong size = new AtomicLong();
        Thread reader = new Thread(() -> size.set(list.size()));
        reader.start();
        try {
            reader.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return size.get();
    }

    @Test
    void aRowIsPublishedWhenItsThreadNextAsksTheList() {
        Trade trade = list.append();
        assertThat(sizeToAnother()).isZero();
        trade.id(1).price(10);
        assertThat(sizeToAnother()).isZero();
        assertThat(list.size()).isEqualTo(1);
        assertThat(sizeToAnother()).isEqualTo(1);
        list.append().id(2);
        list.append().id(3);
        assertThat(sizeToAnother()).isEqualTo(2);
        assertThat(list.longs("id").sum()).isEqualTo(6);
        assertThat(sizeToAnother()).isEqualTo(3);
        list.append().id(4);
        list.publish();
        assertThat(sizeToAnother()).isEqualTo(4);
        assertThat(list.rowOf(4)).isEqualTo(3);
    }

    @Test
    void manyIdentitiesAreFoundAtOnceButNotThoseThatWereTakenAway() throws IOException {
        for (int id = 0; id < 300; id++) {
            list.append().id(1000 - id);
        }
        list.truncate(200);
        long[] ids = LongStream.range(690, 1010).toArray();
        long[] rows = new long[ids.length];
        list.rowsOf(ids, rows);
        assertThat(rows).containsExactly(LongStream.of(ids).map(list::rowOf).toArray());
        assertThat(LongStream.of(rows).filter(row -> row >= 0)).hasSize(200);
    }

    @Test
    void theRowOfAConsumerIsPublishedWhenThatReturns() {
        long row = list.append(trade -> {
            trade.id(1).price(5);
            assertThat(list.size()).isZero();
            assertThat(sizeToAnother()).isZero();
            assertThatThrownBy(list::append).isInstanceOf(IllegalStateException.class);
        });
        assertThat(row).isZero();
        assertThat(sizeToAnother()).isEqualTo(1);
        assertThatThrownBy(() -> list.append(trade -> {
                    trade.id(2).price(7);
                    throw new IllegalStateException("mine");
                }))
                .hasMessage("mine");
        assertThat(list.size()).isEqualTo(1);
        assertThat(list.rowOf(2)).isEqualTo(-1);
        list.append(trade -> trade.id(3));
        assertThat(list.get(1).price()).isZero();
    }

    @Test
    void aRefusedElementLeavesNoRow() {
        list.append().id(7).price(1);
        assertThatThrownBy(() -> list.append().price(5).id(7)).hasMessageContaining("has the identity 7 already");
        assertThat(list.size()).isEqualTo(1);
        assertThatThrownBy(() -> list.append().id(8).symbol("lost").at(Instant.MAX))
                .hasMessageContaining("years 1677");
        assertThat(list.size()).isEqualTo(1);
        assertThat(list.rowOf(8)).isEqualTo(-1);
        assertThat(list.longs("price").count()).isEqualTo(1);
        assertThatThrownBy(() -> list.append().leg(new Leg(3, Instant.MAX))).hasMessageContaining("years 1677");
        list.append().id(9);
        assertThat(list.get(1)).hasToString("Trade[at=null, id=9, leg.ratio=null, leg.at=null, price=0, symbol=]");
        list.append().id(8);
        assertThat(list.rowOf(8)).isEqualTo(2);
    }

    @Test
    void anElementThatWasRefusedCannotBeFilledOn() {
        list.append().id(7);
        Trade trade = list.append();
        assertThatThrownBy(() -> trade.id(7)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> trade.price(5)).hasMessageContaining("the element was refused and is gone");
        list.append().id(8);
        assertThat(list.get(1).price()).isZero();
        assertThat(trade.id()).isEqualTo(8);
    }

    @Test
    void aRefusedSetterAndARefusedSetLeaveTheRowAsItWas() {
        list.append().id(7).price(1).at(Instant.EPOCH).leg(new Leg(1, Instant.EPOCH));
        String before = list.get(0).toString();
        assertThatThrownBy(() -> list.get(0).at(Instant.MAX)).hasMessageContaining("years 1677");
        assertThatThrownBy(() -> list.get(0).leg(new Leg(3, Instant.MAX))).hasMessageContaining("years 1677");
        assertThatThrownBy(() -> list.get(0).symbol("\ud800")).hasMessageContaining("Trade.symbol");
        assertThat(list.get(0)).hasToString(before);
        record Event(long number, Instant at) {}
        try (HugeList<Event> events = layout.of(Event.class)) {
            events.add(new Event(1, Instant.EPOCH));
            assertThatThrownBy(() -> events.set(0, new Event(2, Instant.MAX))).hasMessageContaining("years 1677");
            assertThat(events.asList()).isEqualTo(List.of(new Event(1, Instant.EPOCH)));
        }
    }

    @Test
    void aCommitHasTheLastRowAndNoneThatWasRefused() throws IOException {
        HugeListBuilder<Trade> builder = layout.builder(Trade.class).identity("id");
        try (HugeList<Trade> files = builder.create(temp.resolve("list"))) {
            files.append().id(1).symbol("a");
            assertThatThrownBy(() -> files.append().symbol("b").id(1)).isInstanceOf(IllegalArgumentException.class);
            files.append().id(2);
            files.commit();
        }
        try (HugeList<Trade> files = builder.open(temp.resolve("list"))) {
            assertThat(files.size()).isEqualTo(2);
            assertThat(files.get(1).symbol()).isEmpty();
            assertThat(files.rowOf(2)).isEqualTo(1);
        }
    }
}
