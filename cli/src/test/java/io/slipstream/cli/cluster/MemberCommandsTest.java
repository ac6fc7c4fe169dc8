package io.slipstream.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cli.Main;
import io.slipstream.testkit.Ports;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemberCommandsTest {
    @TempDir
    private Path folder;

    @Test
    void servesKeysAndValuesAsAMemberThatIsFormedOnce() throws Exception {
        Path members = folder.resolve("members.properties");
        Files.writeString(members, "member.0 = 127.0.0.1:" + Ports.block(7));
        assertThat(said(members)).contains("holds no member").contains("--form");
        assertThat(said(members, "--form")).contains("Serving the keys and values as member 0 of 1");
        assertThat(said(members, "--form")).contains("is not empty");
        assertThat(said(members, "--form", "--replace")).contains("takes the place of a lost one");
        assertThat(said(members)).contains("Serving the keys and values as member 0 of 1");
    }

    /** Returns what a member says until it serves or ends; it does not outlive this. */
    private String said(Path members, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/jdk.internal.misc=org.agrona",
                "--sun-misc-unsafe-memory-access=allow",
                "-p",
                own() + File.pathSeparator + System.getProperty("jdk.module.path"),
                "-m",
                "io.slipstream.cli/io.slipstream.cli.Main",
                "serve",
                "keyvalue",
                "--dir",
                folder.resolve("data").toString(),
                "--port",
                Integer.toString(Ports.free()),
                "--level",
                "PROCESS",
                "--cluster",
                members.toString(),
                "--member",
                "0"));
        command.addAll(List.of(options));
        Process member = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            BufferedReader lines = member.inputReader();
            StringBuilder said = new StringBuilder();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.append(line).append('\n');
                if (line.startsWith("Serving")) {
                    break;
                }
            }
            return said.toString();
        } finally {
            member.destroy();
            member.waitFor();
        }
    }

    private static String own() {
        return Path.of(URI.create(Main.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
    }
}
