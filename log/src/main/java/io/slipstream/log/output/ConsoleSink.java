package io.slipstream.log.output;

import io.slipstream.data.text.TextBuffer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * The standard output. A {@link PrintStream} keeps its first error for ever. After that only a file, which has a
 * position, shows what becomes of later lines; what goes elsewhere counts as written.
 */
final class ConsoleSink implements LineSink {
    private final PrintStream out;
    private final @Nullable FileChannel file;
    private boolean failed;
    private boolean isCut;

    ConsoleSink(PrintStream out) {
        this.out = out;
        this.file = out == System.out
                ? channel(FileDescriptor.out)
                : out == System.err ? channel(FileDescriptor.err) : null;
    }

    /** Never closed: it belongs to the process. */
    private static FileChannel channel(FileDescriptor descriptor) {
        return new FileOutputStream(descriptor).getChannel();
    }

    @Override
    public void write(TextBuffer text) throws IOException {
        boolean failedBefore = failed;
        long before = failedBefore ? position() : -1;
        if (isCut) {
            out.write('\n');
            isCut = false;
        }
        text.writeTo(out);
        out.flush();
        failed = out.checkError();
        if (failed && (!failedBefore || before >= 0 && position() - before < text.length())) {
            isCut = true;
            throw new IOException("the standard output is closed or its disk is full");
        }
    }

    /** How much the file of the standard output has; negative if it is no file. */
    private long position() {
        try {
            return file == null ? -1 : file.position();
        } catch (IOException e) {
            return -1;
        }
    }

    @Override
    public void close() {
        out.flush();
    }
}
