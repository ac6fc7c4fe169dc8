package io.slipstream.service.logic;

import io.slipstream.service.protocol.FailureCode;

/**
 * What becomes of exceptions of the state machine: the client is told, and a listener, who may log it.
 *
 * <p>For the thread of the logic, but for {@link #listener} and {@link #tellClients}, which are set before.
 */
public final class Failures {
    private Listener listener = new Listener() {
        @Override
        public void onFailure(long sequence, long session, Exception failure) {}

        @Override
        public void onTimerFailure(long sequence, long timer, long dueNanos, Exception failure) {}
    };
    private boolean detailed = true;
    private long count;

    /** Sets the listener, which gets each exception of the machine. */
    public void listener(Listener newListener) {
        listener = newListener;
    }

    /** Sets whether clients get the message of an exception, or only that the command failed. */
    public void tellClients(boolean messages) {
        detailed = messages;
    }

    /** Returns how many exceptions there were. */
    public long count() {
        return count;
    }

    void failed(Outputs outputs, Exception e, boolean keep) {
        note(outputs.sequence(), outputs.asking(), e);
        if (!outputs.answered()) {
            outputs.fail(FailureCode.LOGIC_FAILED, text(e, keep ? outputs.sequence() : 0), keep);
        }
    }

    void note(long sequence, long session, Exception e) {
        count++;
        listener.onFailure(sequence, session, e);
    }

    /** A timer has nobody to answer. */
    void timerFailed(long sequence, long timer, long dueNanos, Exception e) {
        count++;
        listener.onTimerFailure(sequence, timer, dueNanos, e);
    }

    /** Returns what a client is told; {@code sequence} is that of the log entry, or 0 if it was none. */
    String text(Exception e, long sequence) {
        String entry = sequence == 0 ? "" : " (log entry " + sequence + ")";
        if (!detailed) {
            return "the service has failed to do this" + entry + "; its own log says why";
        }
        String name = e.getClass().getSimpleName();
        return (e.getMessage() == null ? name : name + ": " + e.getMessage()) + entry;
    }

    /** Is told what the state machine throws. */
    public interface Listener {
        /**
         * The machine has thrown.
         *
         * @param sequence of the log entry; 0 for a query or a subscription
         * @param session  that sent it; 0 if none did
         */
        void onFailure(long sequence, long session, Exception failure);

        /**
         * The machine has thrown in a timer.
         *
         * @param sequence of the log entry that it fired with
         * @param dueNanos when it was due, in nanoseconds since 1970
         */
        void onTimerFailure(long sequence, long timer, long dueNanos, Exception failure);
    }
}
