package io.slipstream.lab.plot;

import io.slipstream.lab.Findings;
import io.slipstream.lab.Plot;
import io.slipstream.lab.machine.MachineSheet;
import java.util.LinkedHashMap;
import java.util.Map;

/** Draws a plot of findings as an SVG that stands inside an HTML page and takes its colours from the page's style. */
public final class Plots {
    private Plots() {}

    /** The SVG, or an empty text when the findings have nothing to draw. */
    public static String draw(Plot plot, Findings found, MachineSheet machine) {
        if (found.series(plot.metric()).isEmpty()) {
            return "";
        }
        return switch (plot.kind()) {
            case BARS -> BarChart.draw(plot, found);
            case LINES -> LineChart.draw(plot, found, plot.xLabel().equals("bytes") ? caches(machine) : Map.of());
            case HEAT -> HeatMap.draw(plot, found, machine.siblings());
            case PERCENTILES -> PercentileChart.draw(plot, found);
        };
    }

    private static Map<Double, String> caches(MachineSheet machine) {
        Map<Double, String> marks = new LinkedHashMap<>();
        machine.caches().forEach(c -> marks.put((double) c.sizeBytes(), "L" + c.level()));
        return marks;
    }
}
