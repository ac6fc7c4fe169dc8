package io.slipstream.keyvalue.session;

import io.slipstream.keyvalue.resp.RedisError;

/**
 * How much memory clients hold besides keys: by what they listen to, watch and wait for. It is bounded for all of them
 * together, since it is on the heap, and a replay of the log needs as much as the store did.
 */
public final class Holdings {
    private static final long MAX_BYTES = 64 << 20;

    /** What one name takes besides its bytes: entries of two maps, and objects. */
    private static final int NAME_BYTES = 256;

    private long bytes;

    /** Returns what a name of that many bytes takes. */
    public static long of(int name) {
        return NAME_BYTES + name;
    }

    /**
     * To be asked before anything is done.
     *
     * @throws RedisError if there is no room for so much more
     */
    public void require(long more) {
        if (more > MAX_BYTES - bytes) {
            throw new RedisError("ERR too much: what all clients listen to, watch and wait for would take "
                    + (bytes + more) + " bytes, and at most " + MAX_BYTES + " are held");
        }
    }

    /** Something is held that takes so much. */
    public void add(long more) {
        bytes += more;
    }

    /** It is held no more. */
    public void remove(long less) {
        bytes -= less;
    }
}
