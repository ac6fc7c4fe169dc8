package io.slipstream.sim.witness;

import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.sim.world.Hash;
import java.lang.foreign.MemorySegment;

/**
 * A command that the machine has applied.
 *
 * @param sequence its place in the log
 * @param session  whose command it is
 * @param id       what the simulation calls it
 * @param command  hash of its payload
 * @param reply    hash of the reply, or of why the machine rejected it; 0 if there was none, 2 if it threw
 * @param kept     bytes of outputs that the service has had to keep for that session before, at the most
 */
public record Applied(long sequence, long session, long id, long command, long reply, long kept) {
    public static final long NO_REPLY = 0;
    public static final long THROWN = 2;

    /** Returns what stands for a rejection with that reason. */
    public static long rejected(String reason) {
        byte[] text = FailureNotice.text(reason);
        return Hash.mix(Hash.of(MemorySegment.ofArray(text), 0, text.length));
    }
}
