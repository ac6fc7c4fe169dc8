package io.slipstream.lab;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.Set;

/** Numbers for people: three significant digits, thousands grouped. */
public final class Figure {
    private static final Set<String> UNITS = Set.of("MB/s", "ms", "µs", "ns", "%", "ns/op");

    private Figure() {}

    public static String show(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return "–";
        }
        if (value == 0) {
            return "0";
        }
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(Math.abs(value) >= 1000 ? 4 : 3));
        if (Math.abs(value) >= 1000) {
            return String.format(Locale.ROOT, "%,d", rounded.longValue());
        }
        return rounded.stripTrailingZeros().toPlainString();
    }

    /** A value of a metric as it is read aloud: the unit first, and then of what: 295 MB/s (write). */
    public static String show(double value, String metric) {
        int space = metric.lastIndexOf(' ');
        String unit = metric.substring(space + 1);
        return space > 0 && UNITS.contains(unit)
                ? show(value) + " " + unit + " (" + metric.substring(0, space) + ")"
                : show(value) + " " + metric;
    }

    /** Short enough for an axis: 20M, 512K, 1.5G. */
    public static String axis(double value) {
        double size = Math.abs(value);
        if (size >= 1e9) {
            return show(value / 1e9) + "G";
        }
        if (size >= 1e6) {
            return show(value / 1e6) + "M";
        }
        return size >= 10_000 ? show(value / 1e3) + "K" : show(value).replace(",", "");
    }

    /** A size in the binary units in which caches and buffers are counted: 32 KB, 2 MB. */
    public static String bytes(long size) {
        String[] units = {" B", " KB", " MB", " GB"};
        int unit = 0;
        double value = size;
        while (value >= 1024 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        return show(value) + units[unit];
    }

    /** A duration for people who wait. */
    public static String duration(double seconds) {
        if (seconds < 100) {
            return Math.round(seconds) + " s";
        }
        return seconds < 6_000 ? Math.round(seconds / 60) + " min" : show(Math.round(seconds / 360) / 10.0) + " h";
    }
}
