package io.slipstream.lab.plot;

import java.util.Locale;

/** Builds an SVG as text. Colours are CSS classes of the page, so that one picture serves light, dark and print. */
final class Svg {
    private final StringBuilder out = new StringBuilder();

    Svg(double width, double height, String title) {
        out.append("<svg viewBox=\"0 0 ")
                .append(number(width))
                .append(' ')
                .append(number(height))
                .append("\" role=\"img\" aria-label=\"")
                .append(Xml.escape(title))
                .append("\" style=\"--width:")
                .append(number(width))
                .append("px\">\n<title>")
                .append(Xml.escape(title))
                .append("</title>\n");
    }

    Svg line(String style, double x1, double y1, double x2, double y2) {
        out.append(String.format(
                Locale.ROOT,
                "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>%n",
                style,
                number(x1),
                number(y1),
                number(x2),
                number(y2)));
        return this;
    }

    /** A rectangle that tells {@code hint} to a pointer and to a screen reader. */
    Svg rectangle(String style, double x, double y, double width, double height, String hint) {
        out.append(String.format(
                Locale.ROOT,
                "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"2\"><title>%s</title></rect>%n",
                style,
                number(x),
                number(y),
                number(Math.max(0, width)),
                number(Math.max(0, height)),
                Xml.escape(hint)));
        return this;
    }

    Svg shade(String style, double opacity, double x, double y, double width, double height, String hint) {
        out.append(String.format(
                Locale.ROOT,
                "<rect class=\"%s\" fill-opacity=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\""
                        + " height=\"%s\"><title>%s</title></rect>%n",
                style,
                number(opacity),
                number(x),
                number(y),
                number(width),
                number(height),
                Xml.escape(hint)));
        return this;
    }

    /** A mark of a series, in the shape, the colour and the size that are its own. */
    Svg mark(Series series, double x, double y, String hint) {
        out.append(String.format(
                Locale.ROOT,
                "<path class=\"%s\" d=\"%s\"><title>%s</title></path>%n",
                series.markStyle(),
                series.outline(x, y),
                Xml.escape(hint)));
        return this;
    }

    Svg path(String style, String points) {
        out.append("<polyline class=\"")
                .append(style)
                .append("\" points=\"")
                .append(points)
                .append("\"/>\n");
        return this;
    }

    /** Text whose anchor is {@code start}, {@code middle} or {@code end}. */
    Svg text(String style, String anchor, double x, double y, String text) {
        out.append(String.format(
                Locale.ROOT,
                "<text class=\"%s\" text-anchor=\"%s\" x=\"%s\" y=\"%s\">%s</text>%n",
                style,
                anchor,
                number(x),
                number(y),
                Xml.escape(text)));
        return this;
    }

    String end() {
        return out.append("</svg>\n").toString().replace("\r\n", "\n");
    }

    /** At most two decimals, and none that are not needed. */
    static String number(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value);
        return text.replaceFirst("\\.?0+$", "");
    }
}
