/** HTTP in front of a service: commands and queries as JSON, feeds, metrics, and a live dashboard. */
module io.slipstream.http {
    requires static org.jspecify;
    requires transitive io.slipstream.service;
    requires java.management;
    requires io.prometheus.metrics.config;
    requires io.prometheus.metrics.core;
    requires io.prometheus.metrics.instrumentation.jvm;
    requires io.prometheus.metrics.model;
    requires io.prometheus.writer.text;
    requires org.eclipse.jetty.server;
    requires org.eclipse.jetty.http2.server;
    requires org.eclipse.jetty.alpn.server;
    // Used as a service only; named here since there is no HTTPS without it.
    requires org.eclipse.jetty.alpn.java.server;
    requires org.eclipse.jetty.io;
    requires org.eclipse.jetty.http;
    requires org.eclipse.jetty.util;

    exports io.slipstream.http;
    exports io.slipstream.http.api;
    exports io.slipstream.http.config;
}
