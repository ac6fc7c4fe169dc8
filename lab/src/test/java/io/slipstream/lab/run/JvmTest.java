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
                new Jvm(one, "JDK 25 Temurin", 25),
                new Jvm(link, "JDK 25 Temurin", 25),
                new Jvm(other, "JDK 25 Temurin", 25)));

        assertThat(distinct)
                .containsExactly(new Jvm(one, "JDK 25 Temurin", 25), new Jvm(other, "JDK 25 Temurin #2", 25));
    }

    @Test
    void areLookedForWherePeopleInstallThem(@TempDir Path directory) throws IOException {
        Path root = directory.toRealPath();
        Path named = home(root.resolve("named"));
        Path linked = home(root.resolve("linked"));
        Path bin = Files.createDirectory(root.resolve("bin"));
        Files.createSymbolicLink(bin.resolve("java"), linked.resolve("bin/java"));
        Path managed = home(root.resolve("managed/25-tem"));
        Files.createSymbolicLink(managed.resolveSibling("current"), managed);
        Path deep = home(root.resolve("opt/vendor/jdk"));
        Files.createDirectories(root.resolve("opt/other/bin"));

        assertThat(Jvm.homes(
                        named.toString(),
                        ":" + root.resolve("none") + ":" + bin,
                        List.of(root.resolve("managed"), root.resolve("missing"), root.resolve("opt"))))
                .containsExactly(named, linked, managed, deep);
        assertThat(Jvm.homes(null, null, List.of())).isEmpty();
    }

    private static Path home(Path home) throws IOException {
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"25\"\n");
        return home;
    }

    @Test
    void thoseFoundHaveDifferentNames() {
        assertThat(Jvm.found()).extracting(Jvm::name).doesNotHaveDuplicates();
        assertThat(Jvm.found().get(0).name()).isEqualTo(Jvm.current().name());
    }
}
