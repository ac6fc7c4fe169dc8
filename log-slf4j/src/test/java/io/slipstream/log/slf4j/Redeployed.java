package io.slipstream.log.slf4j;

import io.slipstream.log.LogSystem;
import io.slipstream.log.config.LogConfig;
import io.slipstream.testkit.Opened;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.MarkerFactory;
import org.slf4j.event.Level;

/** A program in a container: it logs by SLF4J, leaves its context on the thread, and ends without the process. */
public final class Redeployed {
    private Redeployed() {}

    public static void main(String[] arguments) throws Exception {
        try (Opened opened = new Opened()) {
            LogSystem.share(LogConfig.file(Path.of(arguments[0], "app.log")));
            opened.add(LogSystem.shared());
            Logger log = LoggerFactory.getLogger(Redeployed.class);
            MDC.put("user", "u1");
            MDC.pushByKey("stack", "s1");
            for (int i = 0; i < 10; i++) {
                log.info("plain {}", i);
                log.info("made up " + i);
                log.warn(MarkerFactory.getMarker("M"), "marked {}", new Own());
                log.atLevel(Level.ERROR)
                        .addKeyValue("id", new Own())
                        .setCause(new Failed())
                        .log("fluent");
            }
        }
    }

    /** An argument of a class of the program. */
    private static final class Own {}

    private static final class Failed extends Exception {
        private static final long serialVersionUID = 1;
    }
}
