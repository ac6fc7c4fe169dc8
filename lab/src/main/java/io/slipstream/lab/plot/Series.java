package io.slipstream.lab.plot;

/**
 * How a series is told from the others, without its colour too: by the shape of its marks, full or hollow, and the
 * dashes of its line. Marks of earlier series are larger, so that those that lie on each other are seen as rings.
 *
 * @param number its place among the series of a plot
 * @param count how many there are
 */
record Series(int number, int count) {
    private static final int SHAPES = 4;
    private static final double LEAST = 3;
    private static final double MOST = 6;

    private int colour() {
        return number % Palette.COLOURS;
    }

    /** The classes of its line. */
    String lineStyle() {
        return "line s" + colour() + " d" + (number + number / Palette.COLOURS) % SHAPES;
    }

    /** The class of the lines beside it that have no dashes. */
    String thinStyle() {
        return "thin s" + colour();
    }

    /** The classes of its marks. */
    String markStyle() {
        return number / SHAPES % 2 == 0 ? "dot c" + colour() : "hollow s" + colour();
    }

    private double radius() {
        return count < 2 ? LEAST + 0.5 : MOST - (MOST - LEAST) * number / (count - 1);
    }

    /** A circle, a square, a triangle or a diamond around a point. */
    String outline(double x, double y) {
        double r = radius();
        return switch (number % SHAPES) {
            case 0 ->
                "M" + point(x - r, y) + "a" + Svg.number(r) + " " + Svg.number(r) + " 0 1 0 " + Svg.number(2 * r)
                        + " 0a" + Svg.number(r) + " " + Svg.number(r) + " 0 1 0 " + Svg.number(-2 * r) + " 0z";
            case 1 -> polygon(x - r, y - r, x + r, y - r, x + r, y + r, x - r, y + r);
            case 2 -> polygon(x, y - 1.3 * r, x + 1.2 * r, y + 0.9 * r, x - 1.2 * r, y + 0.9 * r);
            default -> polygon(x, y - 1.4 * r, x + 1.4 * r, y, x, y + 1.4 * r, x - 1.4 * r, y);
        };
    }

    private static String polygon(double... corners) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < corners.length; i += 2) {
            points.append(i == 0 ? "M" : "L").append(point(corners[i], corners[i + 1]));
        }
        return points.append('z').toString();
    }

    private static String point(double x, double y) {
        return Svg.number(x) + " " + Svg.number(y);
    }
}
