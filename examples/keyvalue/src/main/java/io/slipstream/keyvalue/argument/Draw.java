package io.slipstream.keyvalue.argument;

import io.slipstream.keyvalue.resp.RedisError;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Draws elements at random. */
public final class Draw {
    private static final int MOST = 1 << 20;

    private Draw() {}

    /** Draws up to {@code count} different ones, or, if it is negative, that many of which some may be the same. */
    public static <E> List<E> some(List<E> all, long count, Supplier<RandomGenerator> random) {
        if (count < -MOST) {
            throw new RedisError("ERR value is out of range");
        }
        if (all.isEmpty() || count == 0) {
            return List.of();
        }
        List<E> drawn = new ArrayList<>();
        if (count < 0) {
            for (long i = count; i < 0; i++) {
                drawn.add(all.get(random.get().nextInt(all.size())));
            }
            return drawn;
        }
        List<E> left = new ArrayList<>(all);
        while (drawn.size() < count && !left.isEmpty()) {
            int place = random.get().nextInt(left.size());
            drawn.add(left.get(place));
            left.set(place, left.getLast());
            left.removeLast();
        }
        return drawn;
    }
}
