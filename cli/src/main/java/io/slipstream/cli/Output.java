package io.slipstream.cli;

import picocli.CommandLine;

/** Where a command prints. Writers and streams report errors only when asked. */
final class Output {
    private Output() {
    }

    /** Returns whether something that was printed until now could not be written. */
    static boolean isBroken(CommandLine line) {
        // Each of the two flushes; the writer is over the stream, so it comes first.
        boolean writer = line.getOut().checkError();
        boolean stream = System.out.checkError();
        return writer || stream;
    }
}
