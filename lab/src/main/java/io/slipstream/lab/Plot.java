package io.slipstream.lab;

/**
 * How a metric is drawn.
 *
 * @param metric the metric on the value axis
 * @param xLabel what x means; its unit too
 * @param logarithmic whether the value axis is logarithmic (the x axis of lines always is)
 */
public record Plot(Kind kind, String metric, String xLabel, boolean logarithmic) {

    public enum Kind {
        /** A bar for each case, with its spread. */
        BARS,
        /** A line for each series over a numeric x. */
        LINES,
        /** Series against x, coloured by value. */
        HEAT,
        /** A line for each series; x is a percentile. */
        PERCENTILES
    }

    public static Plot bars(String metric) {
        return new Plot(Kind.BARS, metric, "", false);
    }

    public static Plot lines(String metric, String xLabel) {
        return new Plot(Kind.LINES, metric, xLabel, true);
    }

    public static Plot heat(String metric, String xLabel) {
        return new Plot(Kind.HEAT, metric, xLabel, false);
    }

    /** A line for each series; the rounds record the metric at each percentile as its x. */
    public static Plot percentiles(String metric) {
        return new Plot(Kind.PERCENTILES, metric, "percentile", true);
    }

    /** The same with a logarithmic value axis. */
    public Plot log() {
        return new Plot(kind, metric, xLabel, true);
    }

    /** The same with a value axis that begins at zero. */
    public Plot linear() {
        return new Plot(kind, metric, xLabel, false);
    }

    /** Whether more is better: rates are, times and sizes are not. */
    public boolean moreIsBetter() {
        return metric.endsWith("/s");
    }
}
