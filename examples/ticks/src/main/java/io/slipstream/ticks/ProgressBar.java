package io.slipstream.ticks;

import java.io.PrintStream;
import java.util.Locale;

/** One line that is written over; nothing where there is no terminal. */
final class ProgressBar {
    private static final int CELLS = 30;

    private final PrintStream out;
    private final boolean isTerminal;
    private final String what;
    private final long total;
    private final long start = System.nanoTime();

    ProgressBar(PrintStream out, boolean isTerminal, String what, long total) {
        this.out = out;
        this.isTerminal = isTerminal;
        this.what = what;
        this.total = total;
    }

    void at(long done) {
        if (isTerminal) {
            int full = (int) (done * CELLS / Math.max(1, total));
            out.printf(
                    Locale.ROOT,
                    "\r%-10s [%s%s] %3d %%  %.1f M/s ",
                    what,
                    "#".repeat(full),
                    ".".repeat(CELLS - full),
                    done * 100 / Math.max(1, total),
                    done * 1e3 / Math.max(1, System.nanoTime() - start));
            out.flush();
        }
    }

    void clear() {
        if (isTerminal) {
            out.print("\r\033[K");
            out.flush();
        }
    }
}
