package io.slipstream.cli;

import picocli.CommandLine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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

    /** Returns whether another program reads the output, which may end when it has seen enough, as {@code head} does; false where that cannot be told. */
    static boolean isPipe() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString().startsWith("pipe:");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
