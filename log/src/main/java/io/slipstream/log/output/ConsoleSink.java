package io.slipstream.log.output;

import io.slipstream.data.text.TextBuffer;
import java.io.IOException;
import java.io.PrintStream;

/** The standard output. */
final class ConsoleSink implements LineSink {
    private final PrintStream out;

    ConsoleSink(PrintStream out) {
        this.out = out;
    }

    @Override
    public void write(TextBuffer text) throws IOException {
        text.writeTo(out);
        out.flush();
        if (out.checkError()) {
            throw new IOException("the standard output is closed or its disk is full");
        }
    }

    @Override
    public void close() {
        out.flush();
    }
}
