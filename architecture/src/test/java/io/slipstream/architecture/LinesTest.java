package io.slipstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Java lines have at most 120 characters, so that two files fit beside each other. */
class LinesTest {
    private static final int LONGEST = 120;

    @ParameterizedTest(name = "{0}")
    @MethodSource("modules")
    void noLineIsTooLong(String module) {
        List<String> tooLong = new ArrayList<>();
        for (Path file : SourceTree.javaFiles(module + "/src")) {
            tooLong.addAll(tooLong(SourceTree.name(file), SourceTree.read(file)));
        }
        assertThat(tooLong)
                .as("lines of more than %s characters; wrap them", LONGEST)
                .isEmpty();
    }

    @Test
    void theCheckFindsALongLine() {
        String text = "x\n" + "y".repeat(LONGEST) + "\n" + "z".repeat(LONGEST + 1) + "\n";
        assertThat(tooLong("File.java", text)).containsExactly("File.java:3 has 121 characters");
    }

    static Stream<String> modules() {
        return SourceTree.modules().stream();
    }

    private static List<String> tooLong(String name, String text) {
        List<String> found = new ArrayList<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            int length = lines.get(i).length();
            if (length > LONGEST) {
                found.add(name + ":" + (i + 1) + " has " + length + " characters");
            }
        }
        return found;
    }
}
