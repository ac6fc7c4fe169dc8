package io.slipstream.cli.lab;

import io.slipstream.cli.console.Interruption;
import io.slipstream.cli.console.Usage;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Figure;
import io.slipstream.lab.Form;
import io.slipstream.lab.experiment.Catalog;
import io.slipstream.lab.machine.MachineSheet;
import io.slipstream.lab.report.HtmlReport;
import io.slipstream.lab.report.Reports;
import io.slipstream.lab.run.Demand;
import io.slipstream.lab.run.Jvm;
import io.slipstream.lab.run.RunResult;
import io.slipstream.lab.run.Runner;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs experiments and writes the report; an interrupted run writes what it has. */
@Command(name = "run", mixinStandardHelpOptions = true, description = "Runs experiments and writes a report.")
final class RunCommand implements Callable<Integer> {
    /** Where the disk is that is measured; the first that is not in memory. */
    private static final List<Path> DISKS = Stream.of(
                    System.getProperty("java.io.tmpdir"), "/var/tmp", "", System.getProperty("user.home"))
            .map(Path::of)
            .map(Path::toAbsolutePath)
            .toList();

    private static final int PROBE_BYTES = 1 << 16;

    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..*",
            paramLabel = "ID",
            description = "Ids, groups or 'all'; all if not given.",
            showDefaultValue = Visibility.NEVER)
    private List<String> names = new ArrayList<>();

    @ArgGroup
    private @Nullable Size size;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the report goes, which must hold none yet; a new directory if not given.")
    private @Nullable Path out;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Also writes the page to this file, without directories of this machine: to be published.")
    private @Nullable Path html;

    @Option(
            names = "--scratch",
            paramLabel = "DIR",
            description = "Where experiments put their files; its disk is measured. If not given, the directory for"
                    + " temporary files, unless it is in memory; then another one.")
    private @Nullable Path scratch;

    @Option(
            names = "--jdk",
            arity = "1",
            paramLabel = "PATH",
            description =
                    "A JDK to compare, once for each; 'all' for " + "every one found; the current one if not given.",
            showDefaultValue = Visibility.NEVER)
    private List<String> jdks = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    RunCommand() {}

    /** How much is run. */
    private static final class Size {
        @Option(names = "--quick", description = "A sound answer in seconds each; so it is if neither is given.")
        private boolean quick;

        @Option(names = "--full", description = "The parameters of the original articles; takes hours.")
        private boolean full;

        @Option(names = "--tiny", hidden = true)
        private boolean tiny;

        private Form form() {
            return tiny ? Form.TINY : full && !quick ? Form.FULL : Form.QUICK;
        }
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter screen = spec.commandLine().getOut();
        List<Experiment> experiments = Usage.valid(spec, () -> Catalog.select(names));
        List<Jvm> jvms = Usage.valid(spec, this::jvms);
        Form form = size == null ? Form.QUICK : size.form();
        Path directory = out == null
                ? Path.of("lab-"
                        + LocalDateTime.now(java.time.ZoneId.systemDefault())
                                .format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")))
                : out;
        Path files = scratch == null ? MachineSheet.onDisk(DISKS) : scratch;
        Usage.require(spec, Files.isDirectory(files), "--scratch", "a directory that can be written to", files);
        Usage.require(spec, !Reports.isIn(directory), "--out", "a directory without a report", directory);
        requireWritable("--scratch", files);
        requireWritable("--out", directory);
        long seconds = experiments.stream()
                        .mapToLong(e -> e.card().takes(form).toSeconds())
                        .sum()
                * jvms.size();
        screen.printf(
                Locale.ROOT,
                "%d experiment%s on %s, about %s%s. Leave the machine alone meanwhile.%n",
                experiments.size(),
                experiments.size() == 1 ? "" : "s",
                String.join(", ", jvms.stream().map(Jvm::name).toList()),
                Figure.duration(seconds),
                form == Form.FULL ? ", by an estimate that may be far off on another machine" : "");
        String demand = Demand.of(experiments, form, files).words();
        if (!demand.isEmpty()) {
            screen.printf(Locale.ROOT, "Needs up to %s; what does not fit is left out.%n", demand);
        }
        screen.flush();
        ProgressBar bar = new ProgressBar(
                screen, System.console() != null && System.console().isTerminal());
        Runner runner = new Runner(form, jvms, files, bar);
        return Interruption.endsInOrder(
                () -> runner.stop("it was interrupted"), "the partial report could not be written", () -> {
                    RunResult result = runner.run(experiments).with(options());
                    Path page = write(result, directory);
                    if (html != null) {
                        HtmlReport.publish(result, html);
                    }
                    bar.clear();
                    if (runner.leftBehind() != null) {
                        System.err.println("slipstream: " + runner.leftBehind());
                    }
                    String cut = result.cutShort();
                    screen.printf(
                            Locale.ROOT,
                            "%n%s%s%s%nThe report: %s%n",
                            Reports.verdicts(result),
                            Reports.notMeasured(result),
                            cut == null ? "" : "partial: " + cut + "\n",
                            page.toUri());
                    screen.flush();
                    List<String> without = Reports.withoutFigures(result, names);
                    if (!without.isEmpty() && cut == null) {
                        System.err.println("slipstream: nothing was measured of " + String.join(", ", without));
                    }
                    return cut == null && without.isEmpty() ? 0 : 1;
                });
    }

    /** Found out by writing, because permissions do not tell of a file system that is full or only to be read. */
    private void requireWritable(String option, Path directory) {
        try {
            Files.createDirectories(directory);
            Path probe = Files.createTempFile(directory, "slipstream-lab-", ".probe");
            try {
                Files.write(probe, new byte[PROBE_BYTES]);
            } finally {
                Files.delete(probe);
            }
        } catch (IOException e) {
            throw Usage.wrong(
                    spec, option + " must be a directory that can be written to, not " + directory + " (" + e + ")");
        }
    }

    /** What took minutes to measure is not lost because there is no room where it was to go. */
    private static Path write(RunResult result, Path directory) throws IOException {
        try {
            return Reports.write(result, directory);
        } catch (IOException e) {
            Path other = Files.createTempDirectory("slipstream-lab-report-");
            System.err.println("slipstream: the report could not be written to " + directory + " (" + e.getMessage()
                    + "), and is in " + other + " instead");
            return Reports.write(result, other);
        }
    }

    /** Those that a run elsewhere in the file system is to be repeated with. */
    private List<String> options() {
        List<String> options = new ArrayList<>();
        for (String jdk : jdks) {
            options.addAll(List.of("--jdk", jdk.equals("all") ? jdk : absolute(Path.of(jdk))));
        }
        if (scratch != null) {
            options.addAll(List.of("--scratch", absolute(scratch)));
        }
        return options;
    }

    private static String absolute(Path path) {
        return path.toAbsolutePath().normalize().toString();
    }

    private List<Jvm> jvms() {
        if (jdks.isEmpty()) {
            return List.of(Jvm.current());
        }
        return jdks.contains("all")
                ? Jvm.found()
                : Jvm.distinct(jdks.stream().map(home -> Jvm.at(Path.of(home))).toList());
    }
}
