package io.slipstream.jcstress.queue;

import io.slipstream.core.queue.BoundedQueue;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.Outcome;

/**
 * Two threads that use {@code relaxedOffer} and {@code relaxedPoll} at once. Either may be refused for no reason of the
 * queue's own; what was accepted is there once, whole and in order.
 */
@Outcome(id = RelaxedRaces.RIGHT, expect = Expect.ACCEPTABLE, desc = "what was accepted is there once and in order")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled, out of order, or not whole")
public abstract class RelaxedRaces {
    static final String RIGHT = "right";

    private static final int MOST = 4;

    final BoundedQueue<Box> queue;
    final Side first = new Side();
    final Side second = new Side();
    private final int before;

    /**
     * An element with fields that nothing but the queue publishes: whose it is, 0 for what was there before, and which
     * one of his.
     */
    static final class Box {
        int owner = -1;
        int number = -1;
    }

    /** What one thread has done; its own alone until both have ended. */
    static final class Side {
        int accepted;
        int taken;
        final int[] owners = new int[MOST];
        final int[] numbers = new int[MOST];

        void took(Box box) {
            owners[taken] = box.owner;
            numbers[taken++] = box.number;
        }
    }

    /** Begins with so many elements. */
    RelaxedRaces(BoundedQueue<Box> queue, int before) {
        this.queue = queue;
        this.before = before;
        for (int i = 0; i < before; i++) {
            queue.offer(box(0, i));
        }
    }

    static Box box(int owner, int number) {
        Box box = new Box();
        box.owner = owner;
        box.number = number;
        return box;
    }

    final void offer(Side side) {
        if (queue.relaxedOffer(box(side == first ? 1 : 2, side.accepted))) {
            side.accepted++;
        }
    }

    final void poll(Side side) {
        Box box = queue.relaxedPoll();
        if (box != null) {
            side.took(box);
        }
    }

    /** Takes the rest, and returns {@link #RIGHT}, or what is wrong. */
    final String verdict() {
        Side rest = new Side();
        // A poll would wait for an element that a broken twin has lost.
        for (Box box = queue.relaxedPoll(); box != null && rest.taken < MOST; box = queue.relaxedPoll()) {
            rest.took(box);
        }
        List<String> expected = new ArrayList<>();
        expect(expected, 0, before);
        expect(expected, 1, first.accepted);
        expect(expected, 2, second.accepted);
        List<String> found = names(first);
        found.addAll(names(second));
        found.addAll(names(rest));
        found.sort(null);
        return !found.equals(expected)
                ? "accepted " + expected + ", but found " + found
                : isInOrder(first, rest) && isInOrder(second, rest)
                        ? RIGHT
                        : "out of order: " + names(first) + names(second) + " and left " + names(rest);
    }

    private static void expect(List<String> elements, int owner, int count) {
        for (int i = 0; i < count; i++) {
            elements.add(name(owner, i));
        }
    }

    private static List<String> names(Side side) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < side.taken; i++) {
            names.add(name(side.owners[i], side.numbers[i]));
        }
        return names;
    }

    private static String name(int owner, int number) {
        return owner + "." + number;
    }

    /** What was there before comes first, and the elements of each producer come as they were offered. */
    private static boolean isInOrder(Side side, Side rest) {
        int[] next = new int[3];
        boolean othersSeen = false;
        for (int i = 0; i < side.taken + rest.taken; i++) {
            Side from = i < side.taken ? side : rest;
            int at = i < side.taken ? i : i - side.taken;
            int owner = from.owners[at];
            if (from.numbers[at] < next[owner] || owner == 0 && othersSeen) {
                return false;
            }
            next[owner] = from.numbers[at] + 1;
            othersSeen |= owner != 0;
        }
        return true;
    }
}
