package io.slipstream.data.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The vectors that {@code docs/data-format.md} points to were computed from that document alone. */
class FingerprintTest {
    private static final ValueLayout.OfLong LITTLE = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static String vectors() throws IOException {
        String name = "/io/slipstream/data/fingerprints.txt";
        try (var in = Objects.requireNonNull(FingerprintTest.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void computesWhatTheDocumentSays() throws IOException {
        String file = vectors();
        Definitions definitions = Definitions.parse(file);
        List<String> vectors = file.lines()
                .dropWhile(line -> !line.equals("# record, version, fingerprint, header, text"))
                .skip(1)
                .toList();
        List<String> computed = new ArrayList<>();
        for (Definition definition : definitions.all()) {
            for (int version = 1; !definition.isUnion() && version <= definition.version(); version++) {
                byte[] header = new byte[Long.BYTES];
                MemorySegment.ofArray(header).set(LITTLE, 0, definition.header(version));
                computed.add(String.format(
                        Locale.ROOT,
                        "# %s %d %04x %s \"%s\"",
                        definition.name(),
                        version,
                        definition.fingerprint(version),
                        HexFormat.of().formatHex(header),
                        Fingerprint.text(definition, version).replace("\n", "\\n")));
            }
        }
        assertThat(computed).isEqualTo(vectors);
        assertThat(Definitions.parse(definitions.toString())).isEqualTo(definitions);
    }
}
