package io.slipstream.ipc;

import io.slipstream.core.memory.Region;
import io.slipstream.ipc.file.Layout;
import io.slipstream.ipc.file.ProcessStart;
import io.slipstream.ipc.slot.SlotState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Who is attached to a channel, as its slot says.
 *
 * @param slot     its number
 * @param kind     what it does
 * @param name     what it calls itself
 * @param pid      of its process, in that one's namespace
 * @param seen     whether a process of that number and start is seen from here; false as well if it lives in another
 *      namespace
 * @param alive    whether the kernel says that its process lives
 * @param dropped  whether publishers have lost their patience with it
 * @param position that it has come to; of a publisher, where its newest claim began
 * @param lag      bytes from there to the end of the channel
 */
public record Party(
        int slot,
        PartyKind kind,
        String name,
        long pid,
        boolean seen,
        boolean alive,
        boolean dropped,
        long position,
        long lag) {
    static @Nullable Party read(Region region, Layout layout, int slot, long tail, boolean alive) {
        long at = Layout.slot(slot);
        long state = region.getLongAcquire(at + Layout.STATE_AT);
        PartyKind kind = PartyKind.ofState(state);
        if (kind == null) {
            return null;
        }
        int length = Math.clamp(region.getInt(at + Layout.NAME_LENGTH_AT), 0, Layout.NAME_BYTES);
        byte[] name = new byte[length];
        MemorySegment.copy(region.segment(), ValueLayout.JAVA_BYTE, at + Layout.NAME_AT, name, 0, length);
        long pid = region.getLong(at + Layout.PID_AT);
        ProcessStart start = new ProcessStart(pid, region.getLong(at + Layout.START_AT));
        long position = region.getLongAcquire(at + Layout.POSITION_AT);
        return new Party(
                slot,
                kind,
                printable(name),
                pid,
                start.isSeen(),
                alive,
                SlotState.isDropped(state),
                position,
                Math.clamp(tail - position, 0, layout.capacity()));
    }

    private static String printable(byte[] name) {
        return new String(name, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
    }
}
