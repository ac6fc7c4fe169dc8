package io.slipstream.ipc;

import io.slipstream.ipc.slot.SlotState;
import org.jspecify.annotations.Nullable;

/** What a party does, as its slot says. */
public enum PartyKind {
    /** Writes messages. */
    PUBLISHER(SlotState.PUBLISHER),

    /** Reads messages; publishers wait for it as long as its process lives. */
    SUBSCRIBER(SlotState.SUBSCRIBER),

    /** Reads messages; publishers never wait for it. */
    OBSERVER(SlotState.OBSERVER),

    /** Reads messages; publishers wait for it, but only so long as it has said. */
    PATIENT_OBSERVER(SlotState.PATIENT_OBSERVER);

    private static final PartyKind[] KINDS = values();

    private final int code;

    PartyKind(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    /** Returns the kind of a state that was read from a file, or null if there is none such. */
    static @Nullable PartyKind ofState(long state) {
        int code = (int) (state & SlotState.KIND_MASK);
        return code >= 1 && code <= KINDS.length ? KINDS[code - 1] : null;
    }
}
