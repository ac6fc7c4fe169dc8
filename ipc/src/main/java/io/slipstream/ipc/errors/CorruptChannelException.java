package io.slipstream.ipc.errors;

/**
 * Something in the ring of a channel cannot be what a publisher wrote: a party of another version, or a hostile one.
 * Nothing outside the channel was touched. Close it, remove the file and create it again.
 */
public final class CorruptChannelException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    public CorruptChannelException(long position, String what) {
        super("the channel is corrupt at position " + position + ": " + what + "; remove the file and create it again");
    }
}
