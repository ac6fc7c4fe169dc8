/** The {@code slipstream} command. */
module io.slipstream.cli {
    requires static org.jspecify;
    requires info.picocli;
    requires io.slipstream.cluster;
    requires io.slipstream.core;
    requires io.slipstream.data;
    requires io.slipstream.exchange;
    requires io.slipstream.http;
    requires io.slipstream.ipc;
    requires io.slipstream.journal;
    requires io.slipstream.keyvalue;
    requires io.slipstream.lab;
    requires io.slipstream.ledger;
    requires io.slipstream.log;
    requires io.slipstream.replica;
    requires io.slipstream.service;
    requires io.slipstream.sim;
    requires HdrHistogram;
    requires org.tomlj;
    requires java.compiler;
    requires jdk.jfr;

    opens io.slipstream.cli to
            info.picocli,
            io.slipstream.data;
    opens io.slipstream.cli.config to
            info.picocli;
    opens io.slipstream.cli.cluster to
            info.picocli;
    opens io.slipstream.cli.console to
            info.picocli;
    opens io.slipstream.cli.data to
            info.picocli;
    opens io.slipstream.cli.demo to
            info.picocli;
    opens io.slipstream.cli.exchange to
            info.picocli,
            io.slipstream.data;
    opens io.slipstream.cli.ipc to
            info.picocli;
    opens io.slipstream.cli.journal to
            info.picocli,
            io.slipstream.data;
    opens io.slipstream.cli.replica to
            info.picocli;
    opens io.slipstream.cli.keyvalue to
            info.picocli,
            io.slipstream.data;
    opens io.slipstream.cli.ledger to
            info.picocli;
    opens io.slipstream.cli.project to
            info.picocli;
    opens io.slipstream.cli.schema to
            info.picocli;
    opens io.slipstream.cli.service to
            info.picocli;
    opens io.slipstream.cli.sim to
            info.picocli;
    opens io.slipstream.cli.lab to
            info.picocli;
    opens io.slipstream.cli.load to
            info.picocli;
    opens io.slipstream.cli.log to
            info.picocli;
    opens io.slipstream.cli.typed to
            info.picocli;
}
