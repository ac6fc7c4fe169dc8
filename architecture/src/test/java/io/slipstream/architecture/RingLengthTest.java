package io.slipstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * In a ring the length of a frame publishes it. Whoever writes the length into claimed memory publishes a frame that is
 * half written: {@code publish} of the ring writes it, and last.
 */
class RingLengthTest {
    /** A call that writes the length of a frame, into the memory of something that is named after a ring. */
    private static final Pattern EARLY = Pattern.compile("(?:Message\\.header|Hello\\.encode"
            + "|Frame\\.length(?=\\([^;]*,[^;]*,))\\(\\s*(?:\\w*(?i:ring)(?:\\.memory\\(\\))?"
            + "|(?:input|output)\\.memory\\(\\))\\s*,");

    @ParameterizedTest(name = "{0}")
    @MethodSource("modules")
    void nobodyButTheRingWritesTheLengthOfAFrameInIt(String module) {
        List<String> early = new ArrayList<>();
        for (Path file : SourceTree.javaFiles(module + "/src/main")) {
            early.addAll(early(SourceTree.name(file), SourceTree.read(file)));
        }
        assertThat(early)
                .as("lengths written before the frame is there; use headerWithoutLength, and publish")
                .isEmpty();
    }

    @Test
    void theCheckFindsALengthThatIsWrittenEarly() {
        assertThat(early("A", "Message.header(input.memory(), at, MessageType.TICK, 0, 0, 0);"))
                .hasSize(1);
        assertThat(early("B", "x;\nHello.encode(ring, at, key, lastSequence,\n lastIndex);"))
                .containsExactly("B:2");
        assertThat(early("C", "Frame.length(ring.memory(), at, 48);")).hasSize(1);
    }

    @Test
    void theCheckLetsAloneWhatReadsALengthOrWritesElsewhere() {
        assertThat(early(
                        "D",
                        "Message.headerWithoutLength(input.memory(), at, MessageType.TICK, 0, 0);\n"
                                + "Frame.length(ring.memory(), at);\nMessage.header(scratch, 0, type, 8, 1, 2);"))
                .isEmpty();
    }

    /** The ring itself writes lengths, and the proofs have twins that do it wrong. */
    static Stream<String> modules() {
        return SourceTree.modules().stream()
                .filter(module -> !Set.of("core", "jcstress").contains(module));
    }

    private static List<String> early(String name, String text) {
        List<String> found = new ArrayList<>();
        Matcher matcher = EARLY.matcher(text);
        while (matcher.find()) {
            found.add(name + ":"
                    + (1
                            + text.substring(0, matcher.start())
                                    .chars()
                                    .filter(c -> c == '\n')
                                    .count()));
        }
        return found;
    }
}
