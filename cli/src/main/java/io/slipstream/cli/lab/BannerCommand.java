package io.slipstream.cli.lab;

import io.slipstream.lab.tool.Banner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints text in large letters. */
@Command(name = "banner", mixinStandardHelpOptions = true, description = "Prints text in large letters.")
public final class BannerCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "TEXT")
    private String text;

    @Option(names = "--height", paramLabel = "LINES", defaultValue = "12",
            description = "Height of the letters. Default: ${DEFAULT-VALUE}")
    private int height;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public BannerCommand() {
    }

    @Override
    public void run() {
        spec.commandLine().getOut().print(Banner.of(text, height));
        spec.commandLine().getOut().flush();
    }
}
