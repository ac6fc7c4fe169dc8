package io.slipstream.keyvalue.resp;

/** Whether a client gets its answers, as it has chosen with CLIENT REPLY. Messages are no answers. */
final class Silence {
    private boolean lasts;

    /* SKIP: the next command has no answer; the present one has none. */
    private boolean next;
    private boolean present;

    private boolean wasNext;

    /** Returns whether what is answered now is dropped. */
    boolean isOn() {
        return lasts || next || present;
    }

    /** Returns whether it is so for a single command. */
    boolean isForOne() {
        return next || present;
    }

    /** A command is taken, or tried again; all before it are answered if {@link #isForOne()}. */
    void beginCommand() {
        present = false;
        wasNext = next;
    }

    /** The command was taken: what it is answered may come later. */
    void endCommand() {
        if (wasNext && next) {
            next = false;
            present = true;
        }
    }

    /** CLIENT REPLY OFF: until it is ended. */
    void on() {
        lasts = true;
    }

    /** CLIENT REPLY SKIP: for this command and the next. */
    void skipNext() {
        next = !lasts;
        wasNext = false;
    }

    /** CLIENT REPLY ON. */
    void off() {
        lasts = false;
        next = false;
        present = false;
    }
}
