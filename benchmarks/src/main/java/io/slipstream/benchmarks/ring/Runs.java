package io.slipstream.benchmarks.ring;

/**
 * Publishes a stream in runs of a thousand messages, which claims of ten divide, each a call of its own. So what is
 * measured is the loop as the compiler makes it for a method that is called again and again, as in a service, and not
 * what it makes of one that never returns (on-stack replacement).
 */
final class Runs {
    private static final int MESSAGES = 1_000;

    private Runs() {}

    /** Publishes the messages from one number to before another. */
    interface Publisher {
        void publish(long from, long to);
    }

    /** Publishes {@code count} messages. */
    static void publish(long count, Publisher publisher) {
        for (long from = 0; from < count; from += MESSAGES) {
            publisher.publish(from, Math.min(count, from + MESSAGES));
        }
    }
}
