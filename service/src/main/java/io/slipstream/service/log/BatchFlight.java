package io.slipstream.service.log;

/**
 * Tells JDK Flight Recorder of the batches of one log; only for its thread, and only in a process that has the
 * recorder. While nothing records it looks at a flag and reads no clock.
 */
final class BatchFlight {
    /* One for all batches: it is written when it is committed. */
    private final BatchEvent event = new BatchEvent();
    private boolean begun;

    /** A commit begins. */
    void begin() {
        begun = event.isEnabled();
        if (begun) {
            event.begin();
        }
    }

    /** It has ended, and is recorded if it took as long as the recording asks for. */
    void end(long sequence, long bytes) {
        // A recording may have begun, or ended, during the commit.
        if (begun && event.isEnabled()) {
            event.end();
            if (event.shouldCommit()) {
                event.sequence = sequence;
                event.bytes = bytes;
                event.commit();
            }
        }
    }
}
