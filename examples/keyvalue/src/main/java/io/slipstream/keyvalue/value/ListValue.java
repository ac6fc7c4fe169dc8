package io.slipstream.keyvalue.value;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.Arrays;

/** A list whose ends are cheap to change: a ring of elements that grows. */
public final class ListValue implements Value {
    /** Number of this type. */
    public static final byte TYPE = 1;

    private static final int OVERHEAD = 40;
    private static final byte[] NONE = {};

    private byte[][] ring = new byte[8][];
    /* Of each element of the ring, which its neighbours need. */
    private long[] hashes = new long[8];
    private int head;
    private int size;
    private long hash;
    private long bytes;
    private long moves;

    /** Creates an empty list. */
    public ListValue() {}

    @Override
    public int size() {
        return size;
    }

    @Override
    public byte type() {
        return TYPE;
    }

    /** Each element counts with its neighbour, so that the order does. */
    @Override
    public String encoding() {
        return "quicklist";
    }

    @Override
    public long contentHash() {
        return hash;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    /** Returns the element at a place from 0 on. */
    public byte[] get(int index) {
        return ring[slot(index)];
    }

    /** Adds before the first. */
    public void addFirst(byte[] element) {
        grow();
        long own = link(0, 0, element);
        head = head - 1 & ring.length - 1;
        put(head, element, own);
        size++;
    }

    /** Adds behind the last. */
    public void addLast(byte[] element) {
        grow();
        long own = link(size, size, element);
        put(slot(size), element, own);
        size++;
    }

    /** Removes the first. */
    public byte[] removeFirst() {
        byte[] first = get(0);
        unlink(0);
        ring[head] = NONE;
        head = head + 1 & ring.length - 1;
        size--;
        return first;
    }

    /** Removes the last. */
    public byte[] removeLast() {
        byte[] last = get(size - 1);
        unlink(size - 1);
        ring[slot(size - 1)] = NONE;
        size--;
        return last;
    }

    /** Puts another element in place of one. */
    public void set(int index, byte[] element) {
        unlink(index);
        put(slot(index), element, link(index, index + 1, element));
    }

    /** Adds before the element at {@code index}. */
    public void insert(int index, byte[] element) {
        grow();
        long own = link(index, index, element);
        for (int i = size; i > index; i--) {
            move(i - 1, i);
        }
        put(slot(index), element, own);
        size++;
    }

    /**
     * Removes the elements that are equal to one: the first {@code count}, or the last {@code -count} if it is
     * negative, or all if it is 0. What stays moves once, however many are removed.
     *
     * @return how many were removed
     */
    public int removeEqual(byte[] element, long count) {
        long most = count == 0 || count == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(count);
        int first = count < 0 ? firstOfLast(element, most) : 0;
        int kept = first;
        int removed = 0;
        for (int i = first; i < size; i++) {
            byte[] each = get(i);
            if (removed < most && Arrays.equals(each, element)) {
                removeFromHash(kept - 1, i);
                bytes -= each.length + OVERHEAD;
                removed++;
            } else if (removed == 0) {
                kept++;
            } else {
                move(i, kept++);
            }
        }
        for (int i = kept; i < size; i++) {
            ring[slot(i)] = NONE;
        }
        size = kept;
        return removed;
    }

    /** Returns the place of the last but {@code most} of the elements that are equal to one; the first if fewer are. */
    private int firstOfLast(byte[] element, long most) {
        long found = 0;
        for (int i = size - 1; i >= 0; i--) {
            if (Arrays.equals(get(i), element) && ++found == most) {
                return i;
            }
        }
        return 0;
    }

    /** Returns how many elements were moved since the list was made, but by growing: a measure of cost. */
    long moves() {
        return moves;
    }

    @Override
    public void save(StateOutput output) {
        output.writeInt(size);
        for (int i = 0; i < size; i++) {
            output.writeBytes(get(i));
        }
    }

    static ListValue load(StateInput input) {
        ListValue list = new ListValue();
        for (int left = input.readInt(); left > 0; left--) {
            list.addLast(input.readBytes());
        }
        return list;
    }

    /* An element comes between those at before - 1 and at after; returns its hash. */
    private long link(int before, int after, byte[] element) {
        long left = hashAt(before - 1);
        long right = hashAt(after);
        long own = hashOf(element);
        hash += pair(left, own) + pair(own, right) - pair(left, right);
        bytes += element.length + OVERHEAD;
        return own;
    }

    private void put(int slot, byte[] element, long hashOfIt) {
        ring[slot] = element;
        hashes[slot] = hashOfIt;
    }

    private void move(int from, int to) {
        put(slot(to), ring[slot(from)], hashes[slot(from)]);
        moves++;
    }

    private void unlink(int index) {
        removeFromHash(index - 1, index);
        bytes -= get(index).length + OVERHEAD;
    }

    /* The element at index goes; the one at before, and the one behind it, become neighbours. */
    private void removeFromHash(int before, int index) {
        long left = hashAt(before);
        long own = hashAt(index);
        long right = hashAt(index + 1);
        hash -= pair(left, own) + pair(own, right) - pair(left, right);
    }

    private long hashAt(int index) {
        return index < 0 || index >= size ? 0 : hashes[slot(index)];
    }

    /** The hash of an empty element is not that of none. */
    private static long hashOf(byte[] element) {
        return Bytes.mix(element) + 1;
    }

    private static long pair(long left, long right) {
        return left == 0 && right == 0 ? 0 : Bytes.mix(left * 31 + right);
    }

    private int slot(int index) {
        return head + index & ring.length - 1;
    }

    private void grow() {
        if (size < ring.length) {
            return;
        }
        byte[][] larger = new byte[2 * ring.length][];
        long[] largerHashes = new long[larger.length];
        System.arraycopy(ring, head, larger, 0, ring.length - head);
        System.arraycopy(ring, 0, larger, ring.length - head, head);
        System.arraycopy(hashes, head, largerHashes, 0, ring.length - head);
        System.arraycopy(hashes, 0, largerHashes, ring.length - head, head);
        ring = larger;
        hashes = largerHashes;
        head = 0;
    }
}
