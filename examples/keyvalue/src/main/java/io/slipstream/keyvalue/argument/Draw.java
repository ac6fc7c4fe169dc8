package io.slipstream.keyvalue.argument;

import io.slipstream.keyvalue.resp.RedisError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Draws elements at random. */
public final class Draw {
    private static final int MOST = 1 << 20;

    private Draw() {}

    /**
     * Draws up to {@code count} different ones, or, if it is negative, that many of which some may be the same. That
     * takes as long as what is drawn, however many there are.
     */
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
        // As if all lay in a row, and the last took the place of each that is drawn; only what has moved is noted.
        Map<Integer, Integer> moved = new HashMap<>();
        for (int left = all.size(); drawn.size() < count && left > 0; left--) {
            int place = random.get().nextInt(left);
            int last = moved.getOrDefault(left - 1, left - 1);
            Integer other = moved.put(place, last);
            drawn.add(all.get(other == null ? place : other));
        }
        return drawn;
    }
}
