package io.slipstream.core.queue;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;

/**
 * Broken: a producer that finds the array full links a larger one without keeping the others away. It stands here to
 * reach that step.
 */
@Param(name = "element", gen = IntGen.class, conf = "1:9")
public class GrowthTwin {
    private final GrowingManyToOneQueue<Integer> queue = new GrowingManyToOneQueue<>(2, 4) {
        @Override
        boolean claimGrowth(long index) {
            return true;
        }
    };

    /** Adds an element. */
    @Operation(params = "element")
    public boolean offer(int element) {
        return queue.offer(element);
    }

    /** Takes the first one. */
    @Operation(nonParallelGroup = "consumer")
    public @Nullable Integer poll() {
        return queue.poll();
    }
}
