package io.slipstream.keyvalue.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Memory outside the heap, given out in blocks of fixed size classes; for one thread.
 *
 * <p>Classes are 16 bytes apart up to 1 KiB, and an eighth apart beyond, so a block wastes at most an eighth of itself.
 * A block that is freed goes to the list of its class. An address names a chunk of 4 MiB and an offset in it; 0 is no
 * address. A block of more than 2 MiB is a chunk of its own, of its size, and goes back to the system when it is freed.
 */
public final class SlabHeap implements AutoCloseable {
    /** The largest block. */
    public static final int MAX_BYTES = 1 << 28;

    private static final int LARGEST_SHARING = 1 << 21;

    private static final int CHUNK_BITS = 22;
    private static final int CHUNK_BYTES = 1 << CHUNK_BITS;
    private static final int FINE_LIMIT = 1024;
    private static final int FINE_STEP = 16;
    private static final int FINE_CLASSES = FINE_LIMIT / FINE_STEP;

    private final Pages pages;
    private final Map<Integer, Pages> own = new HashMap<>();
    private MemorySegment[] chunks = new MemorySegment[16];
    private long next;
    private long end;
    private final long[] free = new long[FINE_CLASSES + 1 + 8 * 12];
    private final Deque<Integer> freePlaces = new ArrayDeque<>();
    private int places;
    private long ownBytes;

    /** Creates an empty one, whose chunks come from {@code pages}. Others may take of these too. */
    SlabHeap(Pages pages) {
        this.pages = pages;
    }

    /** Returns the size class of {@code bytes}. */
    static int sizeClass(int bytes) {
        if (bytes <= FINE_LIMIT) {
            return (bytes + FINE_STEP - 1) / FINE_STEP;
        }
        int power = 31 - Integer.numberOfLeadingZeros(bytes - 1);
        int eighth = ((bytes - 1) >>> (power - 3)) & 7;
        return FINE_CLASSES + 1 + (power - 10) * 8 + eighth;
    }

    /** Returns how many bytes a block for {@code bytes} takes. */
    public static int blockBytes(int bytes) {
        if (bytes <= FINE_LIMIT) {
            return (bytes + FINE_STEP - 1) & -FINE_STEP;
        }
        int step = 1 << (31 - Integer.numberOfLeadingZeros(bytes - 1) - 3);
        return (bytes + step - 1) & -step;
    }

    /**
     * Returns the address of a block for {@code bytes}, whose content is undefined.
     *
     * @throws IllegalArgumentException if that is more than {@link #MAX_BYTES}
     */
    public long allocate(int bytes) {
        if (bytes <= 0 || bytes > MAX_BYTES) {
            throw new IllegalArgumentException("a block has from 1 to " + MAX_BYTES + " bytes, not " + bytes);
        }
        int block = blockBytes(bytes);
        if (bytes > LARGEST_SHARING) {
            return allocateOwn(block);
        }
        int list = sizeClass(bytes);
        long head = free[list];
        if (head != 0) {
            free[list] = memory(head).get(ValueLayout.JAVA_LONG, offset(head));
            return head;
        }
        if (end - next < block) {
            addChunk();
        }
        long address = next;
        next += block;
        return address;
    }

    private long allocateOwn(int block) {
        if (places == 0) {
            addChunk();
        }
        int place = freePlaces.isEmpty() ? newPlace() : freePlaces.pop();
        Pages ofBlock = new Pages();
        own.put(place, ofBlock);
        chunks[place] = ofBlock.allocate(block);
        ownBytes += block;
        return (long) place << CHUNK_BITS;
    }

    private int newPlace() {
        if (places == chunks.length) {
            chunks = Arrays.copyOf(chunks, 2 * places);
        }
        return places++;
    }

    /** Takes a block back that was allocated for {@code bytes}. */
    public void free(long address, int bytes) {
        if (bytes > LARGEST_SHARING) {
            int place = (int) (address >>> CHUNK_BITS);
            chunks[place] = MemorySegment.NULL;
            Pages ofBlock = own.remove(place);
            if (ofBlock != null) {
                ofBlock.close();
            }
            freePlaces.push(place);
            ownBytes -= blockBytes(bytes);
            return;
        }
        int list = sizeClass(bytes);
        memory(address).set(ValueLayout.JAVA_LONG, offset(address), free[list]);
        free[list] = address;
    }

    /** Returns the memory that holds the block at {@code address}. */
    public MemorySegment memory(long address) {
        return chunks[(int) (address >>> CHUNK_BITS)];
    }

    /** Returns where in {@link #memory} the block begins. */
    public static long offset(long address) {
        return address & (CHUNK_BYTES - 1);
    }

    /** Returns how many bytes the blocks have that are chunks of their own. */
    long ownBytes() {
        return ownBytes;
    }

    /** Forgets all blocks. The chunks go back with the pages, which the caller closes. */
    void clear() {
        close();
        chunks = new MemorySegment[16];
        places = 0;
        freePlaces.clear();
        ownBytes = 0;
        next = 0;
        end = 0;
        Arrays.fill(free, 0);
    }

    /** Gives the blocks back that are chunks of their own; nothing may follow. The caller closes the pages. */
    @Override
    public void close() {
        own.values().forEach(Pages::close);
        own.clear();
    }

    private void addChunk() {
        int place = newPlace();
        chunks[place] = pages.allocate(CHUNK_BYTES);
        next = (long) place << CHUNK_BITS;
        end = next + CHUNK_BYTES;
        if (place == 0) {
            next += FINE_STEP;
        }
    }
}
