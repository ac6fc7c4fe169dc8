package io.slipstream.lab.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandardInputTest {

    @Test
    void mapsAFileFromTheDescriptorsPosition(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("input"), "header\nbody");
        Path info = Files.writeString(directory.resolve("info"), "pos:\t7\nflags:\t0100000\n");
        try (StandardInput input = StandardInput.open(file, info)) {
            assertThat(input.isMapped()).isTrue();
            assertThat(new String(input.bytes().toArray(ValueLayout.JAVA_BYTE), StandardCharsets.US_ASCII))
                    .isEqualTo("body");
        }
    }

    @Test
    void aPositionBehindTheEndLeavesNothing(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("input"), "abc");
        Path info = Files.writeString(directory.resolve("info"), "pos: 10\n");
        try (StandardInput input = StandardInput.open(file, info)) {
            assertThat(input.bytes().byteSize()).isZero();
        }
    }
}
