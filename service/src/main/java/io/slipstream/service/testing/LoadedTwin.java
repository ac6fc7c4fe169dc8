package io.slipstream.service.testing;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.service.logic.Logic;
import io.slipstream.service.logic.LogicLimits;
import io.slipstream.service.machine.StateMachine;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A state that was saved and loaded, and then given each entry that the live one gets: what is forgotten or held
 * otherwise by a snapshot shows in the hash of the state or in what it sends, be it much later. For one thread.
 */
final class LoadedTwin implements AutoCloseable {
    private final StateMachine machine;
    private final FrameRing ring;
    private final FramePoller outputs;
    private final Logic logic;
    private final long savedBehind;
    private final List<byte[]> sent = new ArrayList<>();

    /**
     * Saves {@code live} and loads it into {@code fresh}.
     *
     * @throws AssertionError                if that is another state
     * @throws UnsupportedOperationException if the machine is not saved
     */
    LoadedTwin(Logic live, StateMachine fresh, LogicLimits limits, int ringBytes) {
        machine = fresh;
        savedBehind = live.lastSequence();
        SavedState saved = new SavedState();
        live.save(saved.output());
        ring = new FrameRing(ringBytes);
        outputs = ring.newPoller();
        logic = new Logic(fresh, limits, ring, this::drain);
        logic.load(saved.input());
        if (saved.input().remaining() > 0) {
            throw new AssertionError("load has left " + saved.input().remaining() + " bytes of what save has written");
        }
        if (logic.stateHash() != live.stateHash()) {
            throw new AssertionError("load led to a state with the hash " + Long.toHexString(logic.stateHash())
                    + ", and the one that was saved behind entry " + savedBehind + " has "
                    + Long.toHexString(live.stateHash()));
        }
        requireSameOwn(live, "load");
        logic.goLive();
    }

    /** Compares what the runtime remembers with what it remembers live. */
    void requireSameOwn(Logic live, String how) {
        SavedState.requireSameOwn(live, logic, how);
    }

    /**
     * Applies an entry that the live state has got.
     *
     * @param liveHash of the live state behind it
     * @param liveSent what came of it, as {@link #copy} has it
     * @throws AssertionError if this one leads to another hash, or sends something else
     */
    void apply(MemorySegment frame, long liveHash, List<byte[]> liveSent) {
        sent.clear();
        logic.apply(frame, 0);
        drain();
        if (logic.stateHash() != liveHash) {
            throw new AssertionError(where(frame) + " leads to a state with the hash "
                    + Long.toHexString(logic.stateHash()) + ", and live to " + Long.toHexString(liveHash) + REMEDY);
        }
        for (int i = 0; i < Math.max(sent.size(), liveSent.size()); i++) {
            if (i >= sent.size() || i >= liveSent.size() || !Arrays.equals(sent.get(i), liveSent.get(i))) {
                throw new AssertionError(where(frame) + " sends otherwise than live: of " + sent.size()
                        + " outputs, and live " + liveSent.size() + ", number " + (i + 1) + " differs" + REMEDY);
            }
        }
    }

    private static final String REMEDY =
            ". save leaves something out on which the machine depends later, or load brings it back in another form or"
                    + " order; what the machine does must follow from what save writes. To go on without this"
                    + " comparison: TestService.compareLoaded(false)";

    private String where(MemorySegment frame) {
        return "the state that was saved behind entry " + savedBehind + " and loaded goes another way: entry "
                + EntryText.of(frame, 0, machine);
    }

    /** Returns the bytes of a frame that is sent, without those of its header that are the ring's. */
    static byte[] copy(MemorySegment memory, long offset) {
        return memory.asSlice(offset + Frame.HEADER_BYTES, Frame.length(memory, offset) - Frame.HEADER_BYTES)
                .toArray(ValueLayout.JAVA_BYTE);
    }

    private void drain() {
        while (outputs.poll((memory, offset, length, endOfBatch) -> sent.add(copy(memory, offset)), Integer.MAX_VALUE)
                > 0) {
            // All of it.
        }
    }

    @Override
    public void close() {
        ring.close();
    }
}
