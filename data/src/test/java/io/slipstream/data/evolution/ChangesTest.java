package io.slipstream.data.evolution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.SchemaException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of what may change between versions and what may not, one row a rule: D4 of the promises. */
class ChangesTest {
    private static final String OLD = "1 long id; 2 string(8) name; 3 int? count; 4 Side side; 5 list<int>(4) list";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // allowed
                "1 long id; 2 string(8) name; 3 int? count; 4 Side side; 5 list<int>(4) list; 6 int x since 2 "
                        + "| BUY,SELL | 7 | ok | added in version 2",
                "1 long id; 2 string(8) name; 3 int? count removed 2; 4 Side side; 5 list<int>(4) list "
                        + "| BUY,SELL | 7 | ok | was removed",
                "1 long id; 2 string(9) name; 3 int? count; 4 Side side; 5 list<int>(4) list "
                        + "| BUY,SELL | 7 | ok | limit rose from 8 to 9",
                "1 long id; 2 string name; 3 int? count; 4 Side side; 5 list<int> list "
                        + "| BUY,SELL | 7 | ok | limit rose from 8 to none",
                "1 long id; 2 string(8) name; 3 int? count; 4 Side side; 5 list<int>(4) list "
                        + "| BUY,SELL,NONE | 7 | ok | gained [NONE]",
                // forbidden
                "1 int id; 2 string(8) name; 3 int? count; 4 Side side; 5 list<int>(4) list "
                        + "| BUY,SELL | 7 | no | was long and is int",
                "1 long id; 2 string(7) name; 3 int? count; 4 Side side; 5 list<int>(4) list "
                        + "| BUY,SELL | 7 | no | limit fell from 8 to 7",
                "1 long id; 2 string(8) name; 3 int count; 4 Side side; 5 list<int>(4) list | BUY,SELL | 7 | no | was"
                        + " optional",
                "1 long id; 2 string(8) name; 4 Side side; 5 list<int>(4) list "
                        + "| BUY,SELL | 7 | no | say @Removed(name = \"count\", id = 3",
                "1 long id; 2 string(8) name; 3 int? total; 4 Side side; 5 list<int>(4) list "
                        + "| BUY,SELL | 7 | no | say @Name(\"count\")",
                "1 long id; 2 string(8) name; 3 int? count; 4 Side side; 5 list<long>(4) list "
                        + "| BUY,SELL | 7 | no | was int and is long",
                "1 long id; 2 string(8) name; 3 int? count; 4 Side side; 5 list<int>(4) list; 6 int x "
                        + "| BUY,SELL | 7 | no | say @Since(2)",
                "1 long id; 3 string(8) name; 2 int? count; 4 Side side; 5 list<int>(4) list | BUY,SELL | 7 | no | now"
                        + " that of",
                "1 long id; 2 string(8) name; 3 int? count; 4 Side side; 5 list<int>(4) list "
                        + "| SELL,BUY | 7 | no | constants were",
                "1 long id; 2 string(8) name; 3 int? count; 4 Side side; 5 list<int>(4) list | BUY | 7 | no |"
                        + " constants were",
                "1 long id; 2 string(8) name; 3 int? count; 4 Side side; 5 list<int>(4) list | BUY,SELL | 8 | no | say"
                        + " @Id(7)",
                "1 long id; 2 string(8) name; 3 int? count; 4 Side side; 5 list<int>(4) list since 2 "
                        + "| BUY,SELL | 7 | no | added in version 1",
            })
    void saysWhatMayChange(String fields, String constants, int id, String verdict, String what) {
        List<Change> changes = Changes.between(definitions(OLD, "BUY,SELL", 7), definitions(fields, constants, id));
        assertThat(changes.stream().map(Change::what)).anyMatch(w -> w.contains(what));
        assertThat(changes.stream().allMatch(Change::isAllowed)).isEqualTo(verdict.equals("ok"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "A, B, C | true",
                "A | false",
            })
    void aUnionMayGainRecordsButNotLoseThem(String variants, boolean isAllowed) {
        assertThat(Changes.staysReadable(union("A, B"), union(variants))).isEqualTo(isAllowed);
    }

    @ParameterizedTest
    @CsvSource({"1 long id"})
    void theSameHasNotChangedAndWhatIsGoneBreaks(String fields) {
        Definitions same = definitions(fields, "BUY", 7);
        assertThat(Changes.between(same, same)).isEmpty();
        assertThat(Changes.staysReadable(same, union("A"))).isFalse();
    }

    /** By fields and constants of a writer, and of a reader. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 Side side | A, B | 1 Side side | A, B | ",
                "1 Side side; 2 int x since 2 | A, B, C | 1 Side side | A, B | ",
                "1 Side side | A, B | 1 Side side; 2 int x since 2 | A, B, C | ",
                "1 Side side; 2 int x since 2 | A, B | 1 Side side | A, B, C | ",
                "1 Side side | A, B | 1 Side side | B, A | Side: its constants were [A, B]",
                "1 Side side; 2 int x since 2 | A | 1 Side side; 2 int y since 2 | A | R.x: its id 2 is now that of y",
                "1 Side side; 2 int x | A | 1 Side side; 2 long x | A | R.x: was int and is long"
            })
    void readsWhatIsAVersionOfItsOwnOlderOrNewer(
            String written, String itsConstants, String own, String constants, @Nullable String obstacle) {
        List<Change> obstacles =
                Changes.obstacles(definitions(written, itsConstants, 7), definitions(own, constants, 7));
        assertThat(obstacles).hasSize(obstacle == null ? 0 : 1);
        assertThat(obstacles)
                .allSatisfy(change ->
                        assertThat(change.where() + ": " + change.what()).startsWith(obstacle));
    }

    @Test
    void comparesWithinAShortTime() {
        StringBuilder fields = new StringBuilder("1 Side side");
        for (int id = 2; id < 100; id++) {
            fields.append("; ").append(id).append(" int f").append(id).append(" since 65535");
        }
        Definitions many = definitions(fields.toString(), "A", 7);
        assertThatThrownBy(() -> Changes.obstacles(many, definitions("1 Side side", "A", 7)))
                .isInstanceOf(SchemaException.class)
                .hasMessage("there are more fields and versions than can be compared");
    }

    private static Definitions union(String variants) {
        StringBuilder text = new StringBuilder("union U id 9 { " + variants + " }\n");
        for (String variant : List.of("A", "B", "C")) {
            text.append("record ")
                    .append(variant)
                    .append(" id ")
                    .append((int) variant.charAt(0))
                    .append(" {\n}\n");
        }
        return Definitions.parse(text.toString());
    }

    private static Definitions definitions(String fields, String constants, int id) {
        return Definitions.parse(
                "record R id " + id + " {\n" + fields.replace(";", "\n") + "\n}\nenum Side { " + constants + " }\n");
    }
}
