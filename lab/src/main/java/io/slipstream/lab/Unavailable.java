package io.slipstream.lab;

/**
 * A workload found that it cannot be run here: no permission, no device, no room. Its case is skipped with this reason.
 */
public final class Unavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Unavailable(String reason) {
        super(reason);
    }
}
