package io.slipstream.http.monitor;

import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.slipstream.http.web.Page;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The metrics of one gateway, in the text format of Prometheus or in OpenMetrics, by what a client accepts. */
final class Metrics {
    static final double SECOND_NANOS = 1e9;

    private static final String PREFIX = "slipstream_";
    private static final ExpositionFormats FORMATS = ExpositionFormats.init();
    private static final int USUAL_BYTES = 16 << 10;
    private static final double FIRST_BOUND_SECONDS = 50e-6;
    private static final int BOUNDS = 19;

    private final PrometheusRegistry registry = new PrometheusRegistry();

    /** Returns where metrics are registered. */
    PrometheusRegistry registry() {
        return registry;
    }

    /** Returns the metrics as they are now, in the form for a client that accepts this, or null. */
    Page.Content read(@Nullable String accept) {
        ExpositionFormatWriter accepted = FORMATS.findWriter(accept);
        // The writer of the binary form is found, but does nothing without a library that is not here.
        ExpositionFormatWriter writer = accepted.isAvailable() ? accepted : FORMATS.getPrometheusTextFormatWriter();
        ByteArrayOutputStream text = new ByteArrayOutputStream(USUAL_BYTES);
        try {
            writer.write(text, registry.scrape());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Page.Content(writer.getContentType(), 200, text.toByteArray());
    }

    /** Returns the full name of a metric. */
    static String named(String name) {
        return PREFIX + name;
    }

    /** Returns a histogram of durations in seconds, whose bounds double from 50 µs to 13 s. */
    static Histogram.Builder durations(String name, String help) {
        return Histogram.builder()
                .name(named(name))
                .help(help)
                .classicOnly()
                .classicExponentialUpperBounds(FIRST_BOUND_SECONDS, 2, BOUNDS)
                .withoutExemplars();
    }

    /** Returns a gauge with one value. */
    static GaugeSnapshot gauge(String name, String help, double value) {
        return GaugeSnapshot.builder()
                .name(named(name))
                .help(help)
                .dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                        .value(value)
                        .build())
                .build();
    }
}
