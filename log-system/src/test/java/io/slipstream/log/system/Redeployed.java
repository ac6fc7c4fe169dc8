package io.slipstream.log.system;

import io.slipstream.log.LogSystem;
import io.slipstream.log.config.LogConfig;
import io.slipstream.testkit.Opened;
import java.nio.file.Path;

/** A program in a container: it logs by the JDK, once by its own provider and once by that of the container. */
public final class Redeployed {
    private Redeployed() {}

    public static void main(String[] arguments) throws Exception {
        try (Opened opened = new Opened()) {
            LogSystem.share(LogConfig.file(Path.of(arguments[0], "app.log")));
            opened.add(LogSystem.shared());
            log(new SlipstreamFinder().getLogger("own", Redeployed.class.getModule()));
            log(System.getLogger("the container's"));
        }
    }

    private static void log(System.Logger log) {
        for (int i = 0; i < 10; i++) {
            log.log(System.Logger.Level.INFO, "plain {0}", new Own());
            log.log(System.Logger.Level.INFO, () -> "supplied");
            log.log(System.Logger.Level.ERROR, "failed", new Failed());
        }
    }

    /** An argument of a class of the program. */
    private static final class Own {}

    private static final class Failed extends Exception {
        private static final long serialVersionUID = 1;
    }
}
