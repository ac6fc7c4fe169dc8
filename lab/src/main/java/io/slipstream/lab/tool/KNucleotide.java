package io.slipstream.lab.tool;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The k-nucleotide task: of the sequence {@code >THREE} in a FASTA text, the frequencies of single nucleotides and of
 * pairs, and the counts of five longer sequences.
 */
public final class KNucleotide {
    /** The longer sequences that are counted. */
    public static final List<String> SEQUENCES = List.of("GGT", "GGTA", "GGTATT", "GGTATTTTAATT", "GGTATTTTAATTTATAGT");

    private final byte[] codes;
    private final int size;

    private KNucleotide(byte[] codes, int size) {
        this.codes = codes;
        this.size = size;
    }

    /** Takes codes 0 to 3 as they are. */
    public static KNucleotide ofCodes(byte[] codes) {
        return new KNucleotide(codes, codes.length);
    }

    /**
     * Reads the sequence after a line that starts with {@code >THREE}, up to the next {@code >} or the end.
     *
     * @throws IllegalArgumentException when there is no such line, or a letter other than A, C, G and T; names the
     *     offset
     */
    public static KNucleotide read(MemorySegment fasta) {
        long position = start(fasta);
        byte[] codes = new byte[(int) Math.min(Integer.MAX_VALUE - 8, fasta.byteSize() - position)];
        int size = 0;
        for (; position < fasta.byteSize(); position++) {
            byte letter = fasta.get(ValueLayout.JAVA_BYTE, position);
            if (letter == '>') {
                break;
            }
            if (letter != '\n' && letter != '\r') {
                int code = NucleotideCounts.code(letter);
                if (code < 0) {
                    throw new IllegalArgumentException(
                            (letter > ' ' ? "'" + (char) letter + "'" : "byte " + (letter & 0xFF)) + " at offset "
                                    + position + " is not one of A, C, G and T");
                }
                if (size == codes.length) {
                    throw new IllegalArgumentException("the sequence >THREE is longer than " + codes.length
                            + " letters, the most that is counted");
                }
                codes[size++] = (byte) code;
            }
        }
        return new KNucleotide(codes, size);
    }

    private static long start(MemorySegment fasta) {
        byte[] mark = {'>', 'T', 'H', 'R', 'E', 'E'};
        for (long i = 0; i + mark.length <= fasta.byteSize(); i++) {
            boolean lineStart = i == 0 || fasta.get(ValueLayout.JAVA_BYTE, i - 1) == '\n';
            if (lineStart
                    && MemorySegment.mismatch(fasta, i, i + mark.length, MemorySegment.ofArray(mark), 0, mark.length)
                            < 0) {
                while (i < fasta.byteSize() && fasta.get(ValueLayout.JAVA_BYTE, i) != '\n') {
                    i++;
                }
                return Math.min(i + 1, fasta.byteSize());
            }
        }
        throw new IllegalArgumentException("no line starts with '>THREE': this is not the k-nucleotide task's input");
    }

    public long count(String sequence) {
        return NucleotideCounts.of(codes, size, sequence.length()).get(sequence);
    }

    /** The answer in the format of the task. */
    public String report() {
        StringBuilder out = new StringBuilder();
        frequencies(out, 1);
        frequencies(out, 2);
        for (String sequence : SEQUENCES) {
            out.append(count(sequence)).append('\t').append(sequence).append('\n');
        }
        return out.toString();
    }

    private void frequencies(StringBuilder out, int length) {
        NucleotideCounts counts = NucleotideCounts.of(codes, size, length);
        List<String> all = new ArrayList<>(List.of("A", "C", "G", "T"));
        if (length == 2) {
            all = all.stream()
                    .flatMap(a -> List.of("A", "C", "G", "T").stream().map(b -> a + b))
                    .toList();
        }
        List<String> byCount = all.stream()
                .sorted(Comparator.comparingLong((String s) -> -counts.get(s)).thenComparing(s -> s))
                .toList();
        for (String sequence : byCount) {
            out.append(String.format(
                    Locale.ROOT, "%s %.3f%n", sequence, 100.0 * counts.get(sequence) / Math.max(1, size - length + 1)));
        }
        out.append('\n');
    }
}
