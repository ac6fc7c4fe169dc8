package io.slipstream.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTextTest {
    @TempDir
    Path folder;

    @Test
    void aByteOrderMarkIsNoPartOfTheText() throws Exception {
        Path file = folder.resolve("settings");
        Files.writeString(file, "\uFEFF key = v\u00e4lue \nmore");
        assertThat(SettingsText.read(file)).isEqualTo(" key = v\u00e4lue \nmore");
        assertThat(SettingsText.firstLine(file)).isEqualTo("key = v\u00e4lue");
    }

    @Test
    void aFileWithoutLinesHasAnEmptyFirstLine() throws Exception {
        Path file = Files.createFile(folder.resolve("empty"));
        assertThat(SettingsText.firstLine(file)).isEmpty();
    }

    @Test
    void whatIsNotInUtf8IsRefused() throws Exception {
        Path file = folder.resolve("latin");
        Files.write(file, new byte[] {'a', (byte) 0xE4});
        assertThatThrownBy(() -> SettingsText.read(file)).isInstanceOf(CharacterCodingException.class);
    }
}
