package io.slipstream.benchmarks.log;

/** A log that is open. */
interface Competitor extends AutoCloseable {
    /** Logs "order {} filled at {} by {}" with these arguments. */
    void log(long id, double price, String who);

    /** Returns once all that was logged was handed to the system. Nothing is logged afterwards. */
    void finish();

    /** Closes it, and with it what only a journal has: forcing to the device. */
    @Override
    void close();
}
