package io.slipstream.data.evolution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.DecodeException;
import io.slipstream.data.annotation.Id;
import io.slipstream.data.annotation.Name;
import io.slipstream.data.annotation.Optional;
import io.slipstream.data.annotation.Removed;
import io.slipstream.data.codec.Codec;
import io.slipstream.data.dump.Dump;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.Schema;
import io.slipstream.data.schema.SchemaException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Fields of enums and records whose classes are gone: old bytes stay readable, and all tools agree that they do. */
class RemovedFieldsTest {
    enum Side {
        BUY,
        SELL
    }

    enum Tif {
        DAY,
        FOREVER
    }

    @Id(8)
    record Leg(int ratio, String name, @Optional @Nullable Hedge hedge) {}

    @Id(9)
    record Hedge(long id) {}

    @Id(7)
    @Name("Order")
    record Before(
            long id,
            Side side,
            @Optional @Nullable Tif tif,
            @Optional @Nullable Leg leg,
            List<Side> sides,
            List<Leg> legs,
            String note) {}

    @Id(7)
    @Name("Order")
    @Removed(name = "side", id = 2, type = "enum Side", in = 2)
    @Removed(name = "tif", id = 3, type = "enum Tif?", in = 2)
    @Removed(name = "leg", id = 4, type = "record Leg?", in = 2)
    @Removed(name = "sides", id = 5, type = "list<enum Side>", in = 2)
    @Removed(name = "legs", id = 6, type = "list<record Leg>", in = 2)
    record After(long id, @Id(7) String note) {}

    private static final Leg LEG = new Leg(1, "EUR", new Hedge(3));
    private static final byte[] OLD = Codec.of(Before.class)
            .toBytes(new Before(5, Side.SELL, Tif.FOREVER, LEG, List.of(Side.BUY), List.of(LEG), "hi"));

    private static final Definitions BEFORE = Schema.of(Before.class).definitions();
    private static final Definitions AFTER = Schema.of(After.class).definitions();

    @Test
    void bytesFromBeforeStayReadable() {
        assertThat(Codec.of(After.class).fromBytes(OLD)).isEqualTo(new After(5, "hi"));
    }

    @Test
    void theCheckAllowsWhatTheCodecReads() {
        assertThat(Changes.between(BEFORE, AFTER)).allMatch(Change::isAllowed);
        assertThat(Changes.between(AFTER, AFTER)).isEmpty();
    }

    @Test
    void aRecordThatAnotherFieldStillHasMustStay() {
        Definitions before = Definitions.parse("record A id 1 {\n1 B? b\n2 B? c\n}\nrecord B id 2 {\n1 long id\n}");
        Definitions after = Definitions.parse("record A id 1 {\n1 record B? b removed 2\n}");
        assertThat(Changes.between(before, after))
                .filteredOn(change -> !change.isAllowed())
                .extracting(Change::where)
                .contains("B", "A.c");
    }

    @Test
    void theTextSaysWhatARemovedFieldWasAndIsReadAgain() {
        assertThat(AFTER).hasToString("""
            record Order id 7 version 2 {
              1 long id
              2 enum Side side removed 2
              3 enum Tif? tif removed 2
              4 record Leg? leg removed 2
              5 list<enum Side> sides removed 2
              6 list<record Leg> legs removed 2
              7 string note
            }
            """);
        assertThat(Definitions.parse(AFTER.toString())).isEqualTo(AFTER);
    }

    @Test
    void theCheckPrintsTheAnnotationThatIsMissing() {
        Definitions after = Definitions.parse("record Order id 7 {\n1 long id\n7 string note\n}");
        assertThat(Changes.between(BEFORE, after).stream().map(Change::what))
                .anyMatch(w -> w.contains("@Removed(name = \"side\", id = 2, type = \"enum Side\", in = 2)"))
                .anyMatch(w -> w.contains("type = \"enum Tif?\", in = 2)"))
                .anyMatch(w -> w.contains("type = \"list<record Leg>\", in = 2)"));
    }

    @Removed(name = "tif", id = 2, type = "Tif?", in = 2)
    record NameAlone(long id) {}

    @Test
    void aNameThatDoesNotSayWhatItWasIsRefusedWithTheRemedy() {
        assertThatThrownBy(() -> Schema.of(NameAlone.class))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("NameAlone.tif")
                .hasMessageContaining("\"enum Tif\"")
                .hasMessageContaining("\"record Tif\"");
    }

    @Test
    void aDumpPassesOverWhatNothingDefinesAnyMore() {
        List<Dump.Line> lines = dump(AFTER, OLD);
        assertThat(lines)
                .anyMatch(line ->
                        line.field().equals("Order.note") && line.value().equals("\"hi\""));
        assertThat(lines)
                .anyMatch(
                        line -> line.field().equals("Order.leg") && line.value().endsWith("(removed)"));
    }

    @Test
    void aDumpRefusesRecordsThatAreNestedTooDeep() {
        Definitions node = Definitions.parse("record Node id 5 {\n1 list<Node> nodes\n}");
        int depth = 50_000;
        ByteBuffer bytes = ByteBuffer.allocate(8 + 4 + depth * 16).order(ByteOrder.LITTLE_ENDIAN);
        long header = node.get("Node").header();
        bytes.putLong(header).putInt(12);
        for (int i = 1; i <= depth; i++) {
            bytes.putInt(1).putLong(header).putInt(i == depth ? 0 : 12 + i * 16);
        }
        assertThatThrownBy(() -> dump(node, bytes.array()))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("nested deeper");
    }

    private static List<Dump.Line> dump(Definitions definitions, byte[] bytes) {
        List<Dump.Line> lines = new ArrayList<>();
        assertThat(new Dump(definitions, lines::add).value(MemorySegment.ofArray(bytes), 0, bytes.length))
                .isEqualTo(bytes.length);
        return lines;
    }
}
