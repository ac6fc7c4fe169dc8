package io.slipstream.benchmarks.log;

import java.io.IOException;

/** A log that is open. */
interface Competitor extends AutoCloseable {
    /** Logs "order {} filled at {} by {}" with these arguments. */
    void log(long id, double price, String who);

    /** Writes all that was logged. */
    @Override
    void close() throws IOException;
}
