package io.slipstream.benchmarks.log;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.FileAppender;
import io.slipstream.log.Log;
import io.slipstream.log.LogSystem;
import io.slipstream.log.config.LogConfig;
import io.slipstream.log.slf4j.SlipstreamProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilder;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilderFactory;
import org.apache.logging.log4j.core.config.builder.impl.BuiltConfiguration;
import org.apache.logging.log4j.util.Unbox;
import org.apache.logging.slf4j.SLF4JServiceProvider;

/** Opens each of the logs on a file. */
enum Competitors {
    /** Ours, to a text file. */
    TEXT {
        @Override
        Competitor open(Path path) throws IOException {
            return ours(LogConfig.file(path));
        }
    },

    /** Ours, to a journal. */
    BINARY {
        @Override
        Competitor open(Path path) throws IOException {
            return ours(LogConfig.journal(path).with("roll.size", "64 MB"));
        }
    },

    /** Log4j 2, all loggers asynchronous by the suite's JVM options. */
    LOG4J {
        @Override
        Competitor open(Path path) {
            LoggerContext context = log4j(path);
            Logger log = LogManager.getLogger(NAME);
            return new Competitor() {
                @Override
                public void log(long id, double price, String who) {
                    log.info("order {} filled at {} by {}", Unbox.box(id), Unbox.box(price), who);
                }

                @Override
                public void finish() {
                    Configurator.shutdown(context, 1, TimeUnit.MINUTES);
                }

                @Override
                public void close() {
                    // Finished is closed.
                }
            };
        }
    },

    /** Ours through SLF4J, to a text file. */
    SLF4J {
        @Override
        Competitor open(Path path) throws IOException {
            LogSystem system = LogSystem.open(settings(LogConfig.file(path)));
            org.slf4j.Logger log =
                    new SlipstreamProvider(system).getLoggerFactory().getLogger(NAME);
            return new Competitor() {
                @Override
                public void log(long id, double price, String who) {
                    log.info("order {} filled at {} by {}", id, price, who);
                }

                @Override
                public void finish() {
                    flushWhole(system);
                }

                @Override
                public void close() {
                    closeWhole(system);
                }
            };
        }
    },

    /** Log4j 2 through its own provider for SLF4J, otherwise as {@link #LOG4J}. */
    LOG4J_SLF4J {
        @Override
        Competitor open(Path path) {
            LoggerContext context = log4j(path);
            SLF4JServiceProvider provider = new SLF4JServiceProvider();
            provider.initialize();
            org.slf4j.Logger log = provider.getLoggerFactory().getLogger(NAME);
            return new Competitor() {
                @Override
                public void log(long id, double price, String who) {
                    log.info("order {} filled at {} by {}", id, price, who);
                }

                @Override
                public void finish() {
                    Configurator.shutdown(context, 1, TimeUnit.MINUTES);
                }

                @Override
                public void close() {
                    // Finished is closed.
                }
            };
        }
    },

    /** Logback with an asynchronous appender that waits when it is full. */
    LOGBACK {
        @Override
        Competitor open(Path path) {
            ch.qos.logback.classic.LoggerContext context = new ch.qos.logback.classic.LoggerContext();
            context.setMDCAdapter(new LogbackMDCAdapter());
            PatternLayoutEncoder encoder = new PatternLayoutEncoder();
            encoder.setContext(context);
            encoder.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSS}000000Z %-5p [%t] %c - %m%n");
            encoder.start();
            FileAppender<ILoggingEvent> file = new FileAppender<>();
            file.setContext(context);
            file.setFile(path.toString());
            file.setAppend(false);
            file.setImmediateFlush(false);
            file.setEncoder(encoder);
            file.start();
            AsyncAppender async = new AsyncAppender();
            async.setContext(context);
            async.setQueueSize(1 << 16);
            async.setDiscardingThreshold(0);
            async.setIncludeCallerData(false);
            async.setMaxFlushTime(0);
            async.addAppender(file);
            async.start();
            ch.qos.logback.classic.Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
            root.setLevel(ch.qos.logback.classic.Level.INFO);
            root.addAppender(async);
            org.slf4j.Logger log = context.getLogger(NAME);
            return new Competitor() {
                @Override
                public void log(long id, double price, String who) {
                    log.info("order {} filled at {} by {}", id, price, who);
                }

                @Override
                public void finish() {
                    context.stop();
                }

                @Override
                public void close() {
                    // Finished is closed.
                }
            };
        }
    };

    private static final String NAME = "io.slipstream.benchmarks.Orders";

    abstract Competitor open(Path path) throws IOException;

    private static LoggerContext log4j(Path path) {
        ConfigurationBuilder<BuiltConfiguration> builder = ConfigurationBuilderFactory.newConfigurationBuilder();
        builder.add(builder.newAppender("file", "RandomAccessFile")
                .addAttribute("fileName", path.toString())
                .addAttribute("immediateFlush", false)
                .addAttribute("append", false)
                .add(builder.newLayout("PatternLayout")
                        .addAttribute("pattern", "%d{yyyy-MM-dd'T'HH:mm:ss.nnnnnnnnn}Z %-5p [%t] %c - %m%n")));
        builder.add(builder.newRootLogger(Level.INFO)
                .addAttribute("includeLocation", false)
                .add(builder.newAppenderRef("file")));
        return Configurator.initialize(builder.build());
    }

    private static LogConfig settings(LogConfig config) {
        return config.with("full.wait", "30 s").with("roll.size", "1 GB");
    }

    private static void flushWhole(LogSystem system) {
        if (!system.flush(Duration.ofMinutes(1))) {
            throw new IllegalStateException("not all was written within a minute");
        }
    }

    private static void closeWhole(LogSystem system) {
        system.close();
        if (system.losses().dropped() + system.losses().lost() > 0) {
            throw new IllegalStateException(
                    "messages were lost: " + system.losses().reason());
        }
    }

    private static Competitor ours(LogConfig config) throws IOException {
        LogSystem system = LogSystem.open(settings(config));
        Log log = system.log(NAME);
        return new Competitor() {
            @Override
            public void log(long id, double price, String who) {
                log.info("order {} filled at {} by {}", id, price, who);
            }

            @Override
            public void finish() {
                flushWhole(system);
            }

            @Override
            public void close() {
                closeWhole(system);
            }
        };
    }
}
