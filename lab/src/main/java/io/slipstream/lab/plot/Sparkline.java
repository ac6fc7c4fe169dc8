package io.slipstream.lab.plot;

import io.slipstream.lab.Figure;
import java.util.List;

/** A line as small as a word: how something went in the course of time. */
public final class Sparkline {
    private static final double WIDTH = 120;
    private static final double HEIGHT = 22;
    private static final double EDGE = 2;

    private Sparkline() {}

    /**
     * Draws values at equal distances on a logarithmic axis.
     *
     * @param least the low end of the axis, the same for all lines that are to be compared; less lies there too
     * @param most the high end, likewise
     * @param what what is drawn, with its unit
     */
    public static String draw(List<Integer> values, double least, double most, String what) {
        Scale x = Scale.linear(Math.max(1, values.size() - 1), EDGE, WIDTH - EDGE);
        Scale y = Scale.logarithmicExact(least, most, HEIGHT - EDGE, EDGE);
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < values.size(); i++) {
            points.append(points.isEmpty() ? "" : " ")
                    .append(Svg.number(x.at(i)))
                    .append(',')
                    .append(Svg.number(y.at(Math.min(values.get(i), most))));
        }
        double worst = values.stream().mapToInt(Integer::intValue).max().orElse(0);
        return new Svg(WIDTH, HEIGHT, what + ", at worst " + Figure.show(worst))
                .path("line spark", points.toString())
                .end();
    }
}
