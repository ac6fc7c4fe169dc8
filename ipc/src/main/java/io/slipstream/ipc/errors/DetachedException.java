package io.slipstream.ipc.errors;

/**
 * A party no longer owns its slot: it was closed, or its process lost its kernel locks, which happens when other code
 * of the process opens and closes the file of the channel. Attach again.
 */
public final class DetachedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    public DetachedException(String party) {
        super(party
                + " no longer owns its slot: it was closed, or other code of this process opened and closed the file;"
                + " attach again");
    }
}
