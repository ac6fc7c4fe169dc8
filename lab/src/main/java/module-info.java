/** The lab: experiments on the user's own machine, and a report of what they found. */
module io.slipstream.lab {
    requires static transitive org.jspecify;
    requires com.google.gson;
    requires io.slipstream.core;
    requires io.slipstream.data;
    requires io.slipstream.ipc;
    requires io.slipstream.log;
    requires HdrHistogram;
    // For banners alone. A JDK loads it, a runtime image leaves it out.
    requires static java.desktop;
    requires jdk.management;
    requires jmh.core;
    // What jmh.core needs; it does not say so itself.
    requires commons.math3;
    requires jopt.simple;

    exports io.slipstream.lab;
    exports io.slipstream.lab.experiment;
    exports io.slipstream.lab.machine;
    exports io.slipstream.lab.report;
    exports io.slipstream.lab.run;
    exports io.slipstream.lab.tool;

    opens io.slipstream.lab.experiment.product to
            io.slipstream.data;
    opens io.slipstream.lab to
            com.google.gson;
    opens io.slipstream.lab.machine to
            com.google.gson;
    opens io.slipstream.lab.run to
            com.google.gson;
    opens io.slipstream.lab.run.quiet to
            com.google.gson;
}
