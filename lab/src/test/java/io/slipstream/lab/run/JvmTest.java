package io.slipstream.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JvmTest {

    @Test
    void twoOfOneNameAreNumberedAndLinksToOneAreOne(@TempDir Path directory) throws IOException {
        Path one = Files.createDirectory(directory.resolve("one"));
        Path other = Files.createDirectory(directory.resolve("other"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), one);

        List<Jvm> distinct = Jvm.distinct(List.of(
                new Jvm(one, "JDK 25 Temurin", 25), new Jvm(link, "JDK 25 Temurin", 25), new Jvm(other, "JDK 25 Temurin", 25)));

        assertThat(distinct)
                .containsExactly(new Jvm(one, "JDK 25 Temurin", 25), new Jvm(other, "JDK 25 Temurin #2", 25));
    }

    @Test
    void thoseFoundHaveDifferentNames() {
        assertThat(Jvm.found()).extracting(Jvm::name).doesNotHaveDuplicates();
        assertThat(Jvm.found().get(0).name()).isEqualTo(Jvm.current().name());
    }
}
