package io.slipstream.log.output;

import io.slipstream.data.text.TextBuffer;
import java.io.IOException;

/** Takes whole lines. For the thread of the back end. */
interface LineSink extends AutoCloseable {
    /** Writes all of the text or, if it throws, none of it as far as that can be. */
    void write(TextBuffer text) throws IOException;

    /** Does what is due now and then. */
    default void tick() throws IOException {}

    @Override
    void close() throws IOException;
}
