package io.slipstream.lab.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KNucleotideTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 6, 8, 9, 12, 18, 31})
    void countsAsAPlainMapDoes(int length) {
        byte[] codes = new byte[5_000];
        new Random(length).nextBytes(codes);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < codes.length; i++) {
            // Few different letters in a row, so that long sequences repeat.
            codes[i] = (byte) (i % 7 == 0 ? codes[i] & 3 : i % 3);
            text.append("ACGT".charAt(codes[i]));
        }
        Map<String, Long> expected = new HashMap<>();
        for (int i = 0; i + length <= text.length(); i++) {
            expected.merge(text.substring(i, i + length), 1L, Long::sum);
        }
        NucleotideCounts counts = NucleotideCounts.of(codes, codes.length, length);
        expected.forEach((sequence, count) ->
                assertThat(counts.get(sequence)).as(sequence).isEqualTo(count));
        assertThat(counts.get("T".repeat(length))).isEqualTo(expected.getOrDefault("T".repeat(length), 0L));
    }

    @Test
    void readsTheThirdSequenceOfAFastaText() {
        String fasta = ">ONE x\nACGT\n>THREE Homo sapiens\nggta\nGGTATT\n>FOUR\nCCCC\n";
        KNucleotide task = KNucleotide.read(MemorySegment.ofArray(fasta.getBytes(StandardCharsets.US_ASCII)));
        assertThat(task.count("GGT")).isEqualTo(2);
        assertThat(task.count("GGTATT")).isEqualTo(1);
        assertThat(task.report())
                .startsWith("G 40.000\nT 40.000\nA 20.000\nC 0.000\n\n")
                .contains("1\tGGTATT\n")
                .contains("0\tGGTATTTTAATT\n");
    }

    @Test
    void namesTheOffsetOfALetterItDoesNotKnow() {
        assertThatThrownBy(() ->
                        KNucleotide.read(MemorySegment.ofArray(">THREE\nACN".getBytes(StandardCharsets.US_ASCII))))
                .hasMessageContaining("offset 9");
        assertThatThrownBy(() -> KNucleotide.read(MemorySegment.ofArray("ACGT".getBytes(StandardCharsets.US_ASCII))))
                .hasMessageContaining(">THREE");
    }
}
