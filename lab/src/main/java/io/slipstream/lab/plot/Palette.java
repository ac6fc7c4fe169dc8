package io.slipstream.lab.plot;

/** How many colours the page defines for series: classes {@code c0} to {@code c7}. */
final class Palette {
    static final int COLOURS = 8;

    private Palette() {}
}
