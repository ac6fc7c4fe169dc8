package io.slipstream.log.spring;

import io.slipstream.log.LogSystem;
import io.slipstream.log.config.LogConfig;
import io.slipstream.testkit.Opened;
import java.nio.file.Path;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A program in a container: an application of Spring that logs in its ways, and ends without the process. */
public final class Redeployed {
    private Redeployed() {}

    /** The application. */
    @SpringBootApplication
    static class Application {}

    public static void main(String[] arguments) throws Exception {
        try (Opened opened = new Opened()) {
            LogSystem.share(LogConfig.file(Path.of(arguments[0], "app.log")));
            opened.add(LogSystem.shared());
            SpringApplication application = new SpringApplication(Application.class);
            application.setMainApplicationClass(Application.class);
            application.setWebApplicationType(WebApplicationType.NONE);
            // A container ends its applications itself, as Spring knows of those that are deployed in one.
            application.setRegisterShutdownHook(false);
            opened.add(application.run("--logging.level.com.acme=debug"));
            LoggerFactory.getLogger("com.acme.Orders").debug("by SLF4J");
            Logger.getLogger("com.acme.jul").fine("by the JDK");
        }
    }
}
