package io.slipstream.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * Where a command prints. Writers and streams report errors only when asked, and not which; this remembers the first.
 */
final class Output {
    /** The exit code of a command whose reader has gone: as if SIGPIPE had ended it, which the JVM ignores. */
    static final int READER_GONE = 128 + 13;

    private static volatile @Nullable IOException failure;

    private Output() {}

    /** Has all that is printed from now on watched. A line is written when it ends, as those who follow it expect. */
    static void watch() {
        System.setOut(
                new PrintStream(new Watched(new FileOutputStream(FileDescriptor.out)), true, System.out.charset()));
    }

    /** Returns whether something that was printed until now could not be written. */
    static boolean isBroken(CommandLine line) {
        // Each of the two flushes; the writer is over the stream, so it comes first.
        boolean writer = line.getOut().checkError();
        boolean stream = System.out.checkError();
        return writer || stream;
    }

    /** Returns whether that is because nobody reads it any more. */
    static boolean isReaderGone() {
        IOException first = failure;
        return first != null
                && String.valueOf(first.getMessage()).toLowerCase(Locale.ROOT).contains("broken pipe");
    }

    /** Returns why it could not be written. */
    static String reason() {
        IOException first = failure;
        return first == null ? "its disk is full, or its reader is gone" : String.valueOf(first.getMessage());
    }

    /** Buffers, and remembers the first failure. */
    private static final class Watched extends FilterOutputStream {
        private static final int BYTES = 8192;

        Watched(OutputStream out) {
            super(new BufferedOutputStream(out, BYTES));
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                out.write(bytes, offset, length);
            } catch (IOException e) {
                throw remembered(e);
            }
        }

        @Override
        public void flush() throws IOException {
            try {
                out.flush();
            } catch (IOException e) {
                throw remembered(e);
            }
        }

        private static IOException remembered(IOException e) {
            if (failure == null) {
                failure = e;
            }
            return e;
        }
    }
}
