package io.slipstream.lab.report;

import io.slipstream.lab.Card;
import io.slipstream.lab.Figure;
import io.slipstream.lab.Sample;
import io.slipstream.lab.Verdict;
import java.util.List;

/** The first thing a reader sees: how many claims hold, and which. */
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
        page.raw("</ul>\n<table class=\"verdicts\">\n").head(List.of("", "Experiment", "Seen here beside reported",
                "Verdict"));
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
                    .element("span", seen(one))
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
                return figure.what() + ": " + Figure.show(sample.median()) + " " + figure.metric() + " here, "
                        + figure.figure() + " on " + figure.machine();
            }
        }
        return "";
    }
}
