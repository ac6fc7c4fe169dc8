package io.slipstream.http.monitor;

import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.instrumentation.jvm.JvmBufferPoolMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.management.ManagementFactory;

/** The JVM of the gateway as metrics. */
final class Jvm {
    private Jvm() {}

    static void registerAt(PrometheusRegistry registry) {
        JvmMemoryMetrics.builder().register(registry);
        JvmBufferPoolMetrics.builder().register(registry);
        JvmGarbageCollectorMetrics.builder().register(registry);
        ProcessMetrics.builder().register(registry);
        // The library's own metrics of threads look for deadlocks, for which all threads stand still at each scrape.
        GaugeWithCallback.builder()
                .name("jvm_threads_current")
                .help("Platform threads that are alive.")
                .callback(
                        gauge -> gauge.call(ManagementFactory.getThreadMXBean().getThreadCount()))
                .register(registry);
    }
}
