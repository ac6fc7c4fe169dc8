package io.slipstream.data.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.DecodeException;
import io.slipstream.data.annotation.Default;
import io.slipstream.data.annotation.Id;
import io.slipstream.data.annotation.Name;
import io.slipstream.data.annotation.Since;
import io.slipstream.data.codec.Codec;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A container file is read by what has a version of its schema, and refused by all else before a value is read. */
class ContainerVersionsTest {
    /** Versions of one record, each with its enum. */
    static final class First {
        enum Side {
            BUY,
            SELL
        }

        @Id(7)
        record Order(long id, Side side) {}
    }

    static final class Swapped {
        enum Side {
            SELL,
            BUY
        }

        @Id(7)
        record Order(long id, Side side) {}
    }

    static final class Second {
        enum Side {
            BUY,
            SELL,
            SHORT
        }

        @Id(7)
        record Order(
                long id, Side side, @Since(2) @Default("5") int venue) {}
    }

    /** It added another field in version 2. */
    static final class Branch {
        enum Side {
            BUY,
            SELL
        }

        @Id(7)
        record Order(long id, Side side, @Since(2) String note) {}
    }

    @Id(7)
    @Name("Trade")
    record Trade(long id) {}

    private static final Codec<First.Order> FIRST = Codec.of(First.Order.class);
    private static final Codec<Second.Order> SECOND = Codec.of(Second.Order.class);

    @TempDir
    Path temp;

    @SafeVarargs
    private <T> Path written(Codec<T> codec, T... values) throws IOException {
        Path file = temp.resolve("orders");
        try (ContainerFileWriter<T> out = ContainerFileWriter.create(file, codec)) {
            for (T value : values) {
                out.append(value);
            }
        }
        return file;
    }

    private static void refuses(Path file, Codec<?> codec, String why) {
        assertThatThrownBy(() -> ContainerFileReader.open(file, codec).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file + " is of another schema: " + why)
                .hasMessageContaining("It was written with:\nrecord ");
    }

    @Test
    void refusesAnEnumWhoseConstantsHaveChangedPlaces() throws IOException {
        First.Order order = new First.Order(1, First.Side.BUY);
        Codec<Swapped.Order> swapped = Codec.of(Swapped.Order.class);
        assertThat(swapped.fromBytes(FIRST.toBytes(order)).side())
                .as("a message of its own is misread")
                .isEqualTo(Swapped.Side.SELL);
        refuses(written(FIRST, order), swapped, "Side: its constants were [BUY, SELL]; keep them in their order");
    }

    @Test
    void readsWhatAnOlderVersionHasWritten() throws IOException {
        Path file = written(FIRST, new First.Order(1, First.Side.SELL));
        try (ContainerFileReader<Second.Order> in = ContainerFileReader.open(file, SECOND)) {
            assertThat(ContainerFileTest.rest(in)).containsExactly(new Second.Order(1, Second.Side.SELL, 5));
            assertThat(in.definitions()).isEqualTo(FIRST.schema().definitions());
        }
    }

    @Test
    void readsWhatANewerVersionHasWrittenButForWhatItDoesNotKnow() throws IOException {
        Path file = written(
                SECOND,
                new Second.Order(1, Second.Side.SELL, 9),
                new Second.Order(2, Second.Side.SHORT, 9),
                new Second.Order(3, Second.Side.BUY, 9));
        try (ContainerFileReader<First.Order> in = ContainerFileReader.open(file, FIRST)) {
            assertThat(in.next()).isTrue();
            assertThat(in.value()).isEqualTo(new First.Order(1, First.Side.SELL));
            assertThat(in.next()).isTrue();
            assertThatThrownBy(in::value).isInstanceOf(DecodeException.class).hasMessageContaining("Order.side");
            assertThat(in.next()).isTrue();
            assertThat(in.value()).isEqualTo(new First.Order(3, First.Side.BUY));
            assertThat(in.next()).isFalse();
        }
    }

    @Test
    void refusesWhatIsNoVersionOfTheOther() throws IOException {
        Path file = written(SECOND, new Second.Order(1, Second.Side.SELL, 9));
        refuses(file, Codec.of(Branch.Order.class), "Order.venue: its id 3 is now that of note");
    }

    @Test
    void refusesAnotherType() throws IOException {
        Path file = written(FIRST, new First.Order(1, First.Side.SELL));
        refuses(file, Codec.of(Trade.class), "Order is not Trade");
    }
}
