package io.slipstream.lab.report;

import io.slipstream.lab.Card;
import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Sample;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.plot.Thumbnail;
import io.slipstream.lab.plot.Xml;
import java.util.List;

/** How many claims hold, and which; with a figure and a small picture of each. */
final class Summary {
    private Summary() {}

    static void add(Html page, List<Judged> judged) {
        page.raw("<section id=\"summary\">\n<h2>Which claims hold here</h2>\n<ul class=\"tally\">\n");
        for (Verdict.Kind kind : Verdict.Kind.values()) {
            List<Judged> these =
                    judged.stream().filter(j -> j.verdict().kind() == kind).toList();
            if (!these.isEmpty()) {
                page.raw("<li class=\"" + these.get(0).style() + "\">")
                        .element("strong", String.valueOf(these.size()))
                        .raw(" ")
                        .element("span", kind.words())
                        .raw("</li>\n");
            }
        }
        page.raw("</ul>\n<table class=\"verdicts\">\n")
                .head(List.of("", "Experiment", "Seen here beside reported", "Verdict"));
        boolean several = judged.stream().map(j -> j.result().jvm()).distinct().count() > 1;
        for (Judged one : judged) {
            page.raw("<tr><th scope=\"row\">")
                    .element(
                            "a href=\"#" + one.anchor() + "\"",
                            one.experiment().card().id())
                    .raw("</th><td>")
                    .element(
                            "span",
                            one.experiment().card().title()
                                    + (several ? ", " + one.result().jvm() : ""))
                    .raw("</td><td>")
                    .raw(seen(one))
                    .raw(picture(one))
                    .raw("</td><td>")
                    .element(
                            "span class=\"verdict " + one.style() + "\"",
                            one.verdict().kind().words())
                    .raw("</td></tr>\n");
        }
        page.raw("</table>\n</section>\n");
    }

    /** The first reported figure that has a counterpart here, whatever the verdict. */
    private static String seen(Judged one) {
        for (Card.Reported figure : one.experiment().card().reported()) {
            Sample sample = one.findings().find(figure.series(), figure.x(), figure.metric());
            if (sample != null) {
                return Xml.escape(figure.what() + ": ") + "<strong>"
                        + Xml.escape(Figure.show(sample.median(), figure.metric())) + "</strong>"
                        + Xml.escape(" here; reported: " + figure.figure() + " (" + figure.machine() + ")");
            }
        }
        List<Card.Reported> reported = one.experiment().card().reported();
        String here = whatIsThere(one);
        if (reported.isEmpty()) {
            return here;
        }
        Card.Reported first = reported.get(0);
        return (here.isEmpty() ? "" : here + "; ")
                + Xml.escape("reported: " + first.what() + ", " + first.figure() + " (" + first.machine() + ")");
    }

    /** The first figure of the first plot, for a form that leaves out what was reported. */
    private static String whatIsThere(Judged one) {
        Findings found = one.findings();
        for (Plot plot : one.experiment().card().plots()) {
            for (String series : found.series(plot.metric())) {
                for (String x : found.xs(plot.metric())) {
                    Sample sample = found.find(series, x, plot.metric());
                    if (sample != null) {
                        return Xml.escape(series + (x.isEmpty() ? "" : ", " + x) + ": ") + "<strong>"
                                + Xml.escape(Figure.show(sample.median(), plot.metric())) + "</strong> here";
                    }
                }
            }
        }
        return "";
    }

    private static String picture(Judged one) {
        return one.experiment().card().plots().stream()
                .map(plot -> Thumbnail.draw(plot, one.findings()))
                .filter(svg -> !svg.isEmpty())
                .findFirst()
                .orElse("");
    }
}
