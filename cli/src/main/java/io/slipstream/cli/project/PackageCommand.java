package io.slipstream.cli.project;

import io.slipstream.cli.console.Usage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slipstream package}. */
@Command(
        name = "package",
        mixinStandardHelpOptions = true,
        description = "Makes a folder with this command and a Java runtime, for machines without a JDK.")
public final class PackageCommand implements Callable<Integer> {
    private static final double MEGABYTE = 1e6;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FOLDER", description = "Folder to make.")
    private Path folder;

    @Option(
            names = "--archive",
            paramLabel = "FILE",
            description = "Also writes the folder as this archive; FILE ends in .tar.gz.")
    private @Nullable Path archive;

    @Option(
            names = "--aot-cache",
            description = "Adds a cache (34 MB), trained by a short run: it starts faster where it was made.")
    private boolean withCache;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public PackageCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path file = archive;
        if (file != null && !file.toString().endsWith(".tar.gz")) {
            throw Usage.wrong(spec, "--archive must end in .tar.gz, not " + file);
        }
        if (Files.exists(folder)) {
            throw new FileAlreadyExistsException(folder.toString(), null, "is there already");
        }
        PrintWriter out = spec.commandLine().getOut();
        RuntimeImage image = new RuntimeImage(folder.toAbsolutePath());
        out.println("Linking a runtime ...");
        out.flush();
        image.link();
        image.copyModules();
        image.writeLauncher();
        if (withCache) {
            out.println("Training the cache ...");
            out.flush();
            image.train();
        }
        out.printf(
                Locale.ROOT,
                "%s has %.0f MB. Run it: %s%n",
                folder,
                image.bytes() / MEGABYTE,
                folder.resolve("bin/slipstream"));
        if (file != null) {
            image.archive(file.toAbsolutePath());
            out.printf(Locale.ROOT, "%s has %.0f MB.%n", file, Files.size(file) / MEGABYTE);
        }
        return 0;
    }
}
