package io.slipstream.lab.report;

import java.util.List;

/** The last section: what to do about all that. */
final class AdviceSection {
    private AdviceSection() {}

    static void add(Html page, List<Advice> advice) {
        page.raw("<section id=\"advice\">\n<h2>What suits this machine</h2>\n");
        if (advice.isEmpty()) {
            page.element(
                    "p", "The experiments of this run support no advice; run B2, B3, B4, B6, B8, B11, B21 and B29.");
        }
        page.raw("<dl>\n");
        for (Advice piece : advice) {
            page.element("dt", piece.topic());
            page.raw("<dd>")
                    .element("p", piece.text())
                    .element("p class=\"note\"", piece.because())
                    .raw("</dd>\n");
        }
        page.raw("</dl>\n</section>\n");
    }
}
