package io.slipstream.core.thread;

/**
 * Tells JDK Flight Recorder of the long rounds of one cycle; only for its thread, and only in a process that has the
 * recorder. While nothing records it looks at a flag and reads no clock.
 */
final class StallFlight {
    /* One for all rounds: it is written when it is committed. */
    private final StallEvent event = new StallEvent();
    private boolean begun;

    /** A round begins. */
    void begin() {
        begun = event.isEnabled();
        if (begun) {
            event.begin();
        }
    }

    /** It has ended, and is recorded if it was as long as the recording asks for. */
    void end() {
        // A recording may have begun, or ended, during the round.
        if (begun && event.isEnabled()) {
            event.end();
            if (event.shouldCommit()) {
                event.commit();
            }
        }
    }
}
