package io.slipstream.log.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.log.LogSystem;
import io.slipstream.log.config.LogConfig;
import io.slipstream.log.event.Level;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;

/** A real application, with Tomcat and the actuator. */
class SpringBootTest {
    @TempDir
    private static Path folder;

    /** The application. */
    @SpringBootApplication
    static class Application {}

    private static String logged() throws IOException {
        assertThat(LogSystem.shared().flush(Await.PATIENCE)).isTrue();
        return Files.readString(folder.resolve("app.log"));
    }

    @Test
    void levelsLoggersStartUpAndTomcatAreThoseOfTheLog() throws Exception {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("spring-boot.expected"));
        LogSystem.share(LogConfig.file(folder.resolve("app.log"))
                .with("pattern", "%p %c %m%n")
                .with("level.of.the.file", "error"));
        SpringApplication application = new SpringApplication(Application.class);
        application.setMainApplicationClass(Application.class);
        try (ConfigurableApplicationContext context = application.run(
                        "--server.port=0",
                        "--logging.level.com.acme=debug",
                        "--logging.file.name=" + folder.resolve("other.log"),
                        "--management.endpoints.web.exposure.include=loggers");
                HttpClient client = HttpClient.newHttpClient()) {
            assertThat(context.getBean(LoggingSystem.class)).isInstanceOf(SlipstreamLoggingSystem.class);
            assertThat(logged())
                    .contains("INFO " + Application.class.getName() + " Starting ")
                    .contains("INFO " + Application.class.getName() + " Started ")
                    .contains("INFO org.apache.catalina.core.StandardService Starting service [Tomcat]")
                    .contains("other.log has no effect: set output = file and path in slipstream-log.properties");
            assertThat(LoggerFactory.getLogger("com.acme.Orders").isDebugEnabled())
                    .isTrue();
            assertThat(LoggerFactory.getLogger("com.other").isDebugEnabled()).isFalse();
            Logger.getLogger("com.acme.jul").fine("by the JDK");
            assertThat(logged()).contains("DEBUG com.acme.jul by the JDK");
            LogSystem.shared().level("org.jul", Level.TRACE);
            Logger.getLogger("org.jul").finest("of a level that changed");
            LogSystem.shared().inheritLevel("org.jul");
            Logger.getLogger("org.jul").finest("of a level that is gone");
            assertThat(logged())
                    .contains("TRACE org.jul of a level that changed")
                    .doesNotContain("of a level that is gone");

            String base = "http://localhost:" + context.getEnvironment().getProperty("local.server.port")
                    + "/actuator/loggers";
            assertThat(get(client, base))
                    .contains("\"ROOT\":{\"configuredLevel\":\"INFO\",\"effectiveLevel\":\"INFO\"}")
                    .contains("\"of.the.file\":{\"configuredLevel\":\"ERROR\",\"effectiveLevel\":\"ERROR\"}")
                    .contains("\"com.acme\":{\"configuredLevel\":\"DEBUG\",\"effectiveLevel\":\"DEBUG\"}");
            assertThat(get(client, base + "/com.acme.Orders")).isEqualTo("{\"effectiveLevel\":\"DEBUG\"}");
            post(client, base + "/com.acme", "{\"configuredLevel\":\"TRACE\"}");
            assertThat(LoggerFactory.getLogger("com.acme.Orders").isTraceEnabled())
                    .isTrue();
            post(client, base + "/com.acme", "{}");
            assertThat(LoggerFactory.getLogger("com.acme.Orders").isDebugEnabled())
                    .isFalse();
            assertThat(LogSystem.shared().threshold("com.acme.Orders")).isEqualTo(Level.INFO);
        }
    }

    private static String get(HttpClient client, String uri) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static void post(HttpClient client, String uri, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(uri))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        assertThat(client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
                .isEqualTo(204);
    }
}
