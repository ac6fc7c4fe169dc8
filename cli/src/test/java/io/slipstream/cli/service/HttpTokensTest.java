package io.slipstream.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.http.config.Bearer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpTokensTest {
    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void place() {
        file = folder.resolve("tokens");
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstName() throws IOException {
        Files.writeString(file, "\uFEFFdesk write 5e1f5e1f5e1f5e1f\r\nwall read 7a7a7a7a7a7a7a7a\r\n");
        assertThat(HttpTokens.read(file))
                .containsEntry("5e1f5e1f5e1f5e1f", Bearer.writer("desk"))
                .containsEntry("7a7a7a7a7a7a7a7a", Bearer.reader("wall"));
    }

    @Test
    void aCommentBehindAByteOrderMarkIsOne() throws IOException {
        Files.writeString(file, "\uFEFF# who may write\ndesk write 5e1f5e1f5e1f5e1f\n");
        assertThat(HttpTokens.read(file)).hasSize(1);
    }

    @Test
    void whatIsNoTextIsNamed() throws IOException {
        Files.write(file, new byte[] {(byte) 0xC3, 0x28});
        assertThatThrownBy(() -> HttpTokens.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + " is no text in UTF-8");
    }
}
