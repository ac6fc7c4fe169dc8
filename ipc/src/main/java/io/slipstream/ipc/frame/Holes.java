package io.slipstream.ipc.frame;

/** What a killed publisher may leave in the ring. */
@FunctionalInterface
public interface Holes {
    /**
     * Marks what the dead owner of a slot had claimed, and not published, as skipped.
     *
     * @param claim where its newest claim began, or was about to begin
     */
    void repair(int owner, long claim);
}
