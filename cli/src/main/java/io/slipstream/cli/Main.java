package io.slipstream.cli;

import io.slipstream.cli.cluster.ClusterCommand;
import io.slipstream.cli.config.ConfigOptions;
import io.slipstream.cli.console.PathConverter;
import io.slipstream.cli.console.Usage;
import io.slipstream.cli.data.DataCommand;
import io.slipstream.cli.demo.DemoCommand;
import io.slipstream.cli.ipc.IpcCommand;
import io.slipstream.cli.journal.JournalCommand;
import io.slipstream.cli.keyvalue.ImportAof;
import io.slipstream.cli.lab.BannerCommand;
import io.slipstream.cli.lab.KNucleotideCommand;
import io.slipstream.cli.lab.LabCommand;
import io.slipstream.cli.log.LogCommand;
import io.slipstream.cli.project.NewCommand;
import io.slipstream.cli.project.PackageCommand;
import io.slipstream.cli.replica.ReplicaCommand;
import io.slipstream.cli.schema.SchemaCommand;
import io.slipstream.cli.sim.SimCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Entry point of the command. */
@Command(
        name = "slipstream",
        mixinStandardHelpOptions = true,
        version = Main.VERSION,
        description = "Fast, durable services on the JVM.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            ServeCommand.class,
            LoadCommand.class,
            JournalCommand.class,
            ReplicaCommand.class,
            ClusterCommand.class,
            SchemaCommand.class,
            DataCommand.class,
            LogCommand.class,
            IpcCommand.class,
            ImportAof.class,
            SimCommand.class,
            TopCommand.class,
            TopologyCommand.class,
            JitterCommand.class,
            LabCommand.class,
            BannerCommand.class,
            KNucleotideCommand.class,
            CommandLine.HelpCommand.class
        })
public final class Main implements Runnable {
    static final String VERSION = "slipstream 0.1.0-SNAPSHOT";

    private static final int USUAL_WIDTH = 80;
    /* Narrower ones picocli refuses. */
    private static final int NARROWEST_HELP = 55;

    @Spec
    private CommandSpec spec;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public Main() {}

    /** Runs the command and exits with its code. */
    public static void main(String[] arguments) {
        Output.watch();
        LogToError.install();
        System.exit(run(arguments));
    }

    /**
     * Runs the command. Returns 0 if it succeeded, 1 if it failed, 2 if its usage was wrong, 141 if who reads its
     * output has gone, as {@code head} does.
     */
    public static int run(String... arguments) {
        return commandLine().execute(arguments);
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main());
        line.addSubcommand(new NewCommand()).addSubcommand(new PackageCommand());
        ConfigOptions.addToSubcommands(line, "serve");
        inOneStyle(line);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.registerConverter(Path.class, new PathConverter());
        line.setParameterExceptionHandler(Usage::tell);
        line.setExecutionExceptionHandler(Main::tell);
        line.setExecutionStrategy(Main::execute);
        return line;
    }

    /**
     * Options in the order in which they are declared, the important ones first, and each with its default on a line
     * below.
     */
    private static void inOneStyle(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        spec.version(VERSION)
                .usageMessage()
                .sortOptions(false)
                .showDefaultValues(true)
                .width(Math.clamp(TerminalWidth.columns(USUAL_WIDTH), NARROWEST_HELP, USUAL_WIDTH));
        line.getSubcommands().values().forEach(Main::inOneStyle);
    }

    @Override
    public void run() {
        throw Usage.which(spec);
    }

    /** A command whose output was cut short, as by a full disk, has failed. */
    private static int execute(CommandLine.ParseResult parsed) {
        CommandLine line = parsed.asCommandLineList().getLast();
        Usage.requireArguments(line);
        int code = ConfigOptions.print(line) ? CommandLine.ExitCode.OK : new CommandLine.RunLast().execute(parsed);
        if (!Output.isBroken(line)) {
            return code;
        }
        if (Output.isReaderGone()) {
            return Output.READER_GONE;
        }
        line.getErr().println("slipstream: the output could not be written to its end: " + Output.reason());
        return code == 0 ? CommandLine.ExitCode.SOFTWARE : code;
    }

    /** A failure that the user can mend prints one line; anything else is a defect and prints its stack trace. */
    private static int tell(Exception e, CommandLine line, CommandLine.ParseResult parsed) {
        boolean expected =
                e instanceof IOException || e instanceof UncheckedIOException || e instanceof IllegalArgumentException;
        if (expected && e.getMessage() != null) {
            line.getErr().println("slipstream: " + words(e));
        } else {
            e.printStackTrace(line.getErr());
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** The exceptions of file systems have the name of the file as their message, and what is wrong as their class. */
    private static String words(Exception e) {
        Throwable cause = e instanceof UncheckedIOException && e.getCause() != null ? e.getCause() : e;
        if (!(cause instanceof FileSystemException at) || at.getReason() != null) {
            return String.valueOf(e.getMessage());
        }
        return switch (at) {
            case NoSuchFileException none -> "no such file or directory: " + none.getFile();
            case AccessDeniedException denied -> "no permission for " + denied.getFile();
            case FileAlreadyExistsException exists -> exists.getFile() + " is there already, and is no directory";
            case NotDirectoryException file -> file.getFile() + " is no directory";
            default -> at.getClass().getSimpleName() + ": " + at.getFile();
        };
    }
}
