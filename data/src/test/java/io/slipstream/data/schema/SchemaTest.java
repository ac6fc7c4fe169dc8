package io.slipstream.data.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.annotation.Default;
import io.slipstream.data.annotation.Id;
import io.slipstream.data.annotation.Length;
import io.slipstream.data.annotation.MaxLength;
import io.slipstream.data.annotation.Name;
import io.slipstream.data.annotation.Optional;
import io.slipstream.data.annotation.Removed;
import io.slipstream.data.annotation.Scale;
import io.slipstream.data.annotation.Since;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SchemaTest {
    enum Side {
        BUY,
        SELL
    }

    @Id(7)
    record Order(
            long id,
            @MaxLength(16) String symbol,
            Side side,
            @Scale(2) BigDecimal price,
            @Nullable Integer venue,
            @Length(3) double[] levels,
            List<Leg> legs,
            @Optional @Nullable Instant expires) {}

    record Leg(UUID id, @Scale(4) long ratio) {}

    @Test
    void describesARecordAsText() {
        assertThat(Schema.of(Order.class))
                .hasToString("""
                    record Order id 7 version 1 {
                      1 long id
                      2 string(16) symbol
                      3 Side side
                      4 decimal(2) price
                      5 int? venue
                      6 double[=3] levels
                      7 list<Leg> legs
                      8 instant? expires
                    }

                    record Leg id %s version 1 {
                      1 uuid id
                      2 decimal(4) ratio
                    }

                    enum Side { BUY, SELL }
                    """.formatted(Schema.of(Leg.class).id()));
    }

    @Test
    void readsItsOwnText() {
        Definitions definitions = Schema.of(Order.class).definitions();
        assertThat(Definitions.parse(definitions.toString())).isEqualTo(definitions);
    }

    @Test
    void placesFieldsOneBehindTheOtherWithPresenceBitsInFront() {
        assertThat(Schema.of(Order.class).properties().stream()
                        .map(p -> p.field().offset()))
                .containsExactly(1, 9, 13, 14, 22, 26, 50, 54);
        assertThat(Schema.of(Order.class).properties().stream()
                        .map(p -> p.field().presenceBit()))
                .containsExactly(-1, -1, -1, -1, 0, -1, -1, 1);
        assertThat(Schema.of(Order.class).definition().blockBytes()).isEqualTo(66);
    }

    interface Quote {
        long getBid();

        void setBid(long bid);

        long ask();

        Quote ask(long ask);

        boolean isFirm();

        default long spread() {
            return ask() - getBid();
        }
    }

    @Test
    void takesFieldsOfAnInterfaceFromGettersByName() {
        Schema<Quote> schema = Schema.of(Quote.class);
        assertThat(schema.properties().stream().map(Property::name)).containsExactly("ask", "bid", "firm");
        assertThat(schema.property("bid").setter()).isNotNull();
        assertThat(schema.property("firm").setter()).isNull();
    }

    static class Thing {
        long number;
        boolean flag;
        transient int scratch;
        static int count;
    }

    @Test
    void takesFieldsOfAClass() {
        assertThat(Schema.of(Thing.class).properties().stream().map(Property::name))
                .containsExactly("flag", "number");
    }

    sealed interface Command {
        @Id(1)
        record Place(long id) implements Command {}

        @Id(2)
        record Cancel(long id) implements Command {}
    }

    @Test
    void aSealedInterfaceIsOneOfItsRecords() {
        Schema<Command> schema = Schema.of(Command.class);
        assertThat(schema.kind()).isEqualTo(Schema.Kind.UNION);
        assertThat(schema.variants().stream().<Object>map(Schema::type))
                .containsExactly(Command.Place.class, Command.Cancel.class);
    }

    @Removed(name = "venue", id = 2, type = "int", in = 2)
    record Later(
            @Since(2) @Default("x") String note,
            long id,
            @Name("qty") int quantity) {}

    @Test
    void numbersFieldsOfLaterVersionsBehindThoseOfEarlierOnesAndKeepsThePlaceOfWhatWasRemoved() {
        assertThat(Schema.of(Later.class)).asString().startsWith("""
            record Later id %s version 2 {
              1 long id
              2 int venue removed 2
              3 int qty
              4 string note since 2 default "x"
            }
            """.formatted(
                        Schema.of(Later.class).id()));
        assertThat(Schema.of(Later.class).definition().blockBytes(1)).isEqualTo(16);
        assertThat(Schema.of(Later.class).definition().blockBytes(2)).isEqualTo(20);
    }

    record Tree(
            String name,
            List<Tree> children,
            @Optional @Nullable Tree parent) {}

    @Test
    void aCycleThatCanEndIsFine() {
        assertThat(Schema.of(Tree.class).nested(Tree.class).name()).isEqualTo("Tree");
    }

    @Test
    void definitionsAreReadInATimeInProportionToTheirLengthWhateverTheySay() {
        String quotes = "\" \" ".repeat(200_000);
        assertThatThrownBy(() -> Definitions.parse("record R id 300 version 1 {\n  1 " + quotes + "\n}\n"))
                .isInstanceOf(SchemaException.class)
                .hasMessage("line 2 has 800001 characters; a field has at most 4096");
        String deep = "list<".repeat(33) + "int" + ">".repeat(33);
        assertThatThrownBy(() -> Definitions.parse("record R id 300 version 1 {\n  1 " + deep + " a\n}\n"))
                .isInstanceOf(SchemaException.class)
                .hasMessage("R.a: lists are nested deeper than 32");
    }

    @Test
    void gapsCountAsOneSpaceButWithinQuotes() {
        Definitions all = Definitions.parse(
                "record  R \t id 300   version 1 {\n  1  string   a since 2  default \"x  \\\"  y\"\n}");
        assertThat(all.get("R").fields().getFirst().defaultText()).isEqualTo("x  \"  y");
    }
}
