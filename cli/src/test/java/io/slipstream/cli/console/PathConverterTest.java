package io.slipstream.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class PathConverterTest {
    private final PathConverter converter = new PathConverter();

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void anEmptyPathIsNotTheWorkingDirectory(String text) {
        assertThatThrownBy(() -> converter.convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage("a path is missing; use . for the working directory");
    }

    @Test
    void aPathIsTakenAsItIs() {
        assertThat(converter.convert("data/journal")).isEqualTo(Path.of("data/journal"));
        assertThat(converter.convert(".")).isEqualTo(Path.of("."));
    }
}
