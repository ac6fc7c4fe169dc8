package io.slipstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is printed is read by programs, too, and by people elsewhere: it has the same digits and points wherever it was
 * printed. So each format names its locale.
 */
class LocaleTest {
    /** A call that takes the locale of the machine: {@code formatted} has no other. */
    private static final Pattern OF_THE_MACHINE = Pattern.compile(
            "(?:String\\.format|\\.printf)\\((?!\\s*Locale\\.)|\\.formatted\\(|\\.to(?:Lower|Upper)Case\\(\\)");

    @ParameterizedTest(name = "{0}")
    @MethodSource("modules")
    void everyFormatNamesItsLocale(String module) {
        List<String> found = new ArrayList<>();
        for (Path file : SourceTree.javaFiles(module + "/src/main")) {
            found.addAll(ofTheMachine(SourceTree.name(file), SourceTree.read(file)));
        }
        assertThat(found)
                .as("formats with the digits of the machine; use String.format(Locale.ROOT, ...)")
                .isEmpty();
    }

    @Test
    void theCheckFindsFormatsWithoutALocale() {
        assertThat(ofTheMachine("A", "x;\nString.format(\"%d\", 1);")).containsExactly("A:2");
        assertThat(ofTheMachine("B", "out.printf(\n    \"%d\", 1);")).hasSize(1);
        assertThat(ofTheMachine("C", "\"%d\".formatted(1)")).hasSize(1);
        assertThat(ofTheMachine("D", "name.toLowerCase()")).hasSize(1);
    }

    @Test
    void theCheckLetsAloneWhatNamesALocale() {
        assertThat(ofTheMachine("E", "out.printf(\n    Locale.ROOT, \"%d\", 1);\nString.format(Locale.ROOT, x, 1);"))
                .isEmpty();
    }

    static Stream<String> modules() {
        return SourceTree.modules().stream();
    }

    private static List<String> ofTheMachine(String name, String text) {
        List<String> found = new ArrayList<>();
        Matcher matcher = OF_THE_MACHINE.matcher(text);
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
