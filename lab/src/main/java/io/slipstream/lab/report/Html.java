package io.slipstream.lab.report;

import io.slipstream.lab.plot.Xml;
import java.util.List;

/** Builds HTML as text; whatever comes from outside is escaped. */
final class Html {
    private final StringBuilder out = new StringBuilder();

    /** Adds markup as it is. */
    Html raw(String markup) {
        out.append(markup);
        return this;
    }

    /** Adds text inside an element, which may carry attributes: {@code element("p class=\"rule\"", text)}. */
    Html element(String tag, String text) {
        out.append('<')
                .append(tag)
                .append('>')
                .append(Xml.escape(text))
                .append("</")
                .append(tag.replaceFirst(" .*", ""))
                .append(">\n");
        return this;
    }

    /** Paragraphs are separated by an empty line in the text. */
    Html paragraphs(String text) {
        for (String paragraph : text.split("\n\\s*\n", -1)) {
            element("p", paragraph.replaceAll("\\s+", " ").strip());
        }
        return this;
    }

    /** A row of a table, its cells as text; the first one is a header. */
    Html row(List<String> cells) {
        return row(cells, "");
    }

    /** The same with markup in one more cell, unless it is empty. */
    Html row(List<String> cells, String markup) {
        out.append("<tr>");
        for (int i = 0; i < cells.size(); i++) {
            String tag = i == 0 ? "th scope=\"row\"" : "td";
            element(tag, cells.get(i));
        }
        out.append(markup.isEmpty() ? "" : "<td>" + markup + "</td>").append("</tr>\n");
        return this;
    }

    Html head(List<String> cells) {
        out.append("<thead><tr>");
        cells.forEach(cell -> element("th scope=\"col\"", cell));
        out.append("</tr></thead>\n");
        return this;
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
