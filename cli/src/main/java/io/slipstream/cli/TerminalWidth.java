package io.slipstream.cli;

import org.jspecify.annotations.Nullable;

/** How wide a line may be: as {@code COLUMNS} says, which shells export when they are asked to; otherwise unknown. */
final class TerminalWidth {
    private static final int NARROWEST = 20;
    private static final String INDENT = "      ";

    private TerminalWidth() {}

    /** Returns the columns, or {@code otherwise} if they are not known. */
    static int columns(int otherwise) {
        return columns(System.getenv("COLUMNS"), otherwise);
    }

    static int columns(@Nullable String variable, int otherwise) {
        return variable != null && variable.matches("\\d{1,4}")
                ? Math.max(NARROWEST, Integer.parseInt(variable))
                : otherwise;
    }

    /** Returns text whose lines were folded at spaces where they are too long for the terminal. */
    static String wrap(String text) {
        return wrap(text, columns(Integer.MAX_VALUE));
    }

    static String wrap(String text, int columns) {
        StringBuilder out = new StringBuilder();
        text.lines().forEach(line -> wrapLine(line, columns, out));
        return out.toString();
    }

    private static void wrapLine(String line, int columns, StringBuilder out) {
        String rest = line;
        while (rest.length() > columns) {
            int cut = rest.lastIndexOf(' ', columns);
            if (rest.substring(0, Math.max(0, cut)).isBlank()) {
                break;
            }
            out.append(rest, 0, cut).append('\n');
            rest = INDENT + rest.substring(cut + 1);
        }
        out.append(rest).append('\n');
    }
}
