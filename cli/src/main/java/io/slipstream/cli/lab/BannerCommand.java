package io.slipstream.cli.lab;

import io.slipstream.cli.console.Usage;
import io.slipstream.lab.tool.Banner;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints text in large letters. */
@Command(name = "banner", mixinStandardHelpOptions = true, description = "Prints text in large letters.")
public final class BannerCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "TEXT", description = "What to print, 1 to 200 characters.")
    private String text;

    @Option(names = "--height", paramLabel = "LINES", defaultValue = "12", description = "Height of the letters.")
    private int height;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public BannerCommand() {}

    @Override
    public Integer call() throws IOException {
        Usage.range(spec, "--height", height, 5, 100);
        Usage.require(
                spec,
                !text.isBlank() && text.length() <= 200,
                "TEXT",
                "1 to 200 characters that can be seen",
                text.isBlank() ? "'" + text + "'" : text.length());
        // Nothing is shown on a display, so whether there is one does not matter.
        System.setProperty("java.awt.headless", "true");
        spec.commandLine().getOut().print(Banner.of(text, height));
        spec.commandLine().getOut().flush();
        return 0;
    }
}
