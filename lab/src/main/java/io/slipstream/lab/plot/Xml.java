package io.slipstream.lab.plot;

/** What HTML and SVG have in common. */
public final class Xml {
    private Xml() {}

    /** Text as it may stand in an element or an attribute. */
    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
