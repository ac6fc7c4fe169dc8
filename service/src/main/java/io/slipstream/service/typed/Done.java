package io.slipstream.service.typed;

/** The reply to a command that has nothing to tell but that it was done. */
public record Done() {
    /** The only one that is needed. */
    public static final Done DONE = new Done();
}
