package io.slipstream.ipc.sleep;

/**
 * How long a reader looks for a message before it sleeps: about as long as it takes to wake a processor that has
 * halted.
 *
 * <p>Two parties that answer each other, and look for a shorter time, never meet: each sleeps while the other one is
 * being woken. A look pays only if something comes while it lasts, and where the publisher waits for this very
 * processor nothing does. So each look in vain halves the next one; when one has found something they are as long as
 * before again, and one time in {@value #LOOKS_A_TRIAL} they are, to find out.
 *
 * <p>Owned by one thread.
 */
public final class SpinTime {
    private static final long LONGEST_NANOS = 50_000;
    private static final int LOOKS_A_TRIAL = 64;

    private long nanos = LONGEST_NANOS;
    private long begin;
    private int inVain;
    private boolean looks;
    private boolean isOver;

    /** Returns whether to look once more; false from when the time is over until {@link #reset}. */
    public boolean goesOn() {
        if (isOver) {
            return false;
        }
        long now = System.nanoTime();
        if (!looks) {
            looks = true;
            begin = now;
        }
        if (now - begin < nanos) {
            return true;
        }
        isOver = true;
        nanos = ++inVain % LOOKS_A_TRIAL == 0 ? LONGEST_NANOS : nanos >> 1;
        return false;
    }

    /** Something has come; the next call of {@link #goesOn} begins anew. */
    public void reset() {
        if (looks && !isOver) {
            nanos = LONGEST_NANOS;
        }
        looks = false;
        isOver = false;
    }
}
