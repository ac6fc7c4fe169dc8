package io.slipstream.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cli.Main;
import java.io.File;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The small tools of the articles, run as a user would. */
class ToolCommandsTest {
    private static final String FASTA = ">ONE other\nCCCC\n>THREE Homo sapiens\nggta\nGGTATT\n";

    @TempDir
    private Path directory;

    @Test
    void countsWhatComesThroughAPipeAsWhatLiesInAFile() throws Exception {
        Process piped = start(ProcessBuilder.Redirect.PIPE, "k-nucleotide");
        try (OutputStream in = piped.getOutputStream()) {
            in.write(FASTA.getBytes(StandardCharsets.US_ASCII));
        }
        String ofPipe = said(piped);
        String ofFile = said(start(
                ProcessBuilder.Redirect.from(Files.writeString(directory.resolve("input.fasta"), FASTA)
                        .toFile()),
                "k-nucleotide"));
        assertThat(ofPipe).isEqualTo(ofFile).contains("G 40.000", "2\tGGT", "1\tGGTATT");
    }

    @Test
    void namesWhatIsWrongWithItsInput() throws Exception {
        Process piped = start(ProcessBuilder.Redirect.PIPE, "k-nucleotide");
        piped.getOutputStream().close();
        assertThat(new String(piped.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains(">THREE");
        assertThat(piped.waitFor()).isEqualTo(1);
    }

    @Test
    void drawsLargeLetters() throws Exception {
        List<String> lines = said(start(ProcessBuilder.Redirect.PIPE, "banner", "HI", "--height", "10"))
                .lines()
                .toList();
        assertThat(lines).hasSizeBetween(5, 10);
        // The left stroke of the H goes from top to bottom.
        assertThat(lines.stream()
                        .map(line -> line.indexOf(line.strip().charAt(0)))
                        .distinct())
                .hasSize(1);
    }

    private static String said(Process process) throws Exception {
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private static Process start(ProcessBuilder.Redirect input, String... arguments) throws Exception {
        String own = Path.of(URI.create(Main.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-p",
                own + File.pathSeparator + System.getProperty("jdk.module.path"),
                "-m",
                "io.slipstream.cli/io.slipstream.cli.Main"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectInput(input)
                .redirectErrorStream(true)
                .start();
    }
}
