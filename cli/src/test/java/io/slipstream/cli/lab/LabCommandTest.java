package io.slipstream.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cli.Main;
import io.slipstream.lab.run.RunResult;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabCommandTest {
    private int code;

    @Test
    void listsEveryExperiment() {
        assertThat(run("lab", "list")).contains("B1 ", "B32", "False sharing");
        assertThat(code).isZero();
    }

    @Test
    void explainsOneInWords() {
        assertThat(run("lab", "explain", "b2")).contains("False sharing", "Reported:", "Rule: Holds when");
    }

    @Test
    void anUnknownIdIsAnsweredWithTheNearest() {
        assertThat(run("lab", "run", "memroy")).contains("Did you mean memory?");
        assertThat(code).isEqualTo(2);
        run("lab", "explain", "ZZ");
        assertThat(code).isEqualTo(2);
    }

    @Test
    void aJdkThatIsNotThereIsNamed(@TempDir Path directory) {
        assertThat(run("lab", "run", "B3", "--jdk", directory.toString())).contains("no JDK at " + directory);
        assertThat(code).isEqualTo(2);
    }

    @Test
    void aJdkTakesNoIdWithIt(@TempDir Path directory) {
        assertThat(run("lab", "run", "--jdk", directory.toString(), "B7"))
                .contains("no JDK at " + directory)
                .doesNotContain("no JDK at B7");
        assertThat(run("lab", "run", "--jdk", "all", "memroy")).contains("Did you mean memory?");
        assertThat(run("lab", "run", "--jdk", "all", "--jdk", "all", "B99")).contains("B99");
    }

    @Test
    void saysBeforeItBeginsHowLongItTakes(@TempDir Path directory) {
        String said = run(
                "lab",
                "run",
                "B28",
                "--tiny",
                "--out",
                directory.resolve("out").toString(),
                "--scratch",
                directory.toString());
        assertThat(said).contains("1 experiment on JDK ", ", about 1 s");
    }

    @Test
    void runsAnExperimentAndWritesItsReport(@TempDir Path directory) {
        String said = run(
                "lab",
                "run",
                "B28",
                "--tiny",
                "--out",
                directory.resolve("out").toString(),
                "--scratch",
                directory.toString(),
                "--html",
                directory.resolve("public.html").toString());
        assertThat(code).as(said).isZero();
        assertThat(directory.resolve("public.html")).content().contains("B28").doesNotContain(directory.toString());
        assertThat(directory.resolve("out/report.html"))
                .content()
                .contains("B28", "lab run B28 --tiny --scratch " + directory);
        assertThat(run(
                        "lab",
                        "compare",
                        directory.resolve("out/results.json").toString(),
                        directory.resolve("out/results.json").toString(),
                        "--html",
                        directory.resolve("both.html").toString()))
                .contains("B28");
        assertThat(directory.resolve("both.html")).content().contains("Two runs side by side", "B28");
    }

    @Test
    void overwritesNoReport(@TempDir Path directory) throws Exception {
        for (String file : new String[] {"results.json", "report.html"}) {
            Path out = Files.createDirectory(directory.resolve("with " + file));
            Files.writeString(out.resolve(file), "before");
            assertThat(run("lab", "run", "B28", "--tiny", "--out", out.toString(), "--scratch", directory.toString()))
                    .startsWith("slipstream: --out must be a directory without a report, not " + out);
            assertThat(code).isEqualTo(2);
            assertThat(out.resolve(file)).hasContent("before");
        }
    }

    @Test
    void aPlaceForTheReportThatCannotBeWrittenToIsFoundBeforeAnythingRuns(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        for (Path out : new Path[] {file, file.resolve("within"), Path.of("/proc/slipstream-lab")}) {
            assertThat(run("lab", "run", "B28", "--tiny", "--out", out.toString(), "--scratch", directory.toString()))
                    .startsWith("slipstream: --out must be a directory that can be written to, not " + out + " (")
                    .doesNotContain("1 experiment");
            assertThat(code).isEqualTo(2);
        }
        assertThat(directory).isDirectoryContaining(path -> path.equals(file)).isDirectoryNotContaining("glob:**probe");
    }

    @Test
    void aResultThatIsNoneIsRefusedByName(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("a.json"), "[]");
        assertThat(run("lab", "compare", file.toString(), file.toString())).contains(file.toString());
        assertThat(code).isEqualTo(1);
        assertThat(run("lab", "compare", directory.toString())).contains(directory + " is a directory");
        assertThat(code).isEqualTo(1);
    }

    @Test
    void whatIsNoResultIsToldInWords(@TempDir Path directory) throws Exception {
        assertThat(run("lab", "compare", directory.toString()))
                .isEqualTo("slipstream: " + directory + " is a directory; name the results.json in it\n");
        Path file = Files.writeString(directory.resolve("a.json"), "root:x:0");
        assertThat(run("lab", "compare", file.toString()))
                .startsWith("slipstream: " + file + " is not a result of the lab: ")
                .doesNotContain("Exception");
        Files.writeString(file, "{}");
        assertThat(run("lab", "compare", file.toString()))
                .isEqualTo("slipstream: " + file + " is not a result of the lab of version " + RunResult.SCHEMA + "\n");
    }

    @Test
    void placesThatAreNotThereAreNamedBeforeAnythingRuns(@TempDir Path directory) {
        Path none = directory.resolve("none");
        assertThat(run("lab", "run", "B28", "--tiny", "--out", directory.toString(), "--scratch", none.toString()))
                .contains("slipstream: --scratch must be a directory that can be written to, not " + none);
        assertThat(code).isEqualTo(2);
        assertThat(run("lab", "compare", none.toString(), none.toString()))
                .contains("no such file or directory: " + none);
        assertThat(code).isEqualTo(1);
        assertThat(directory).isEmptyDirectory();
    }

    private String run(String... arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream both = new PrintStream(said, true, StandardCharsets.UTF_8);
        System.setOut(both);
        System.setErr(both);
        try {
            code = Main.run(arguments);
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        return said.toString(StandardCharsets.UTF_8);
    }
}
