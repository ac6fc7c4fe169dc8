package io.slipstream.cli;

import picocli.CommandLine;

/** What a command prints to; a writer or stream keeps its errors to itself until it is asked. */
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
