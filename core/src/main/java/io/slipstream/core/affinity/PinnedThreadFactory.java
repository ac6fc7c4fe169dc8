package io.slipstream.core.affinity;

import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes platform threads that pin themselves as a {@link PinPlan} says before they run their task. Where pinning does
 * not work they run unpinned, as {@link Affinity#pinCurrentThread} tells. As those of
 * {@code Executors.defaultThreadFactory} they are no daemons and have the normal priority, whoever makes them.
 *
 * <p>On Linux threads that a pinned thread starts inherit its pinning; {@link Affinity#unpinCurrentThread} frees them
 * of it.
 */
public final class PinnedThreadFactory implements ThreadFactory {
    private final String name;
    private final PinPlan plan;
    private final AtomicInteger threads = new AtomicInteger();

    /** Creates a factory whose threads are called {@code name-0}, {@code name-1} and so on. */
    public PinnedThreadFactory(String name, PinPlan plan) {
        this.name = Objects.requireNonNull(name, "name");
        this.plan = Objects.requireNonNull(plan, "plan");
    }

    /**
     * Makes the next thread.
     *
     * @throws IllegalArgumentException if the plan is one {@linkplain PinPlan#withoutSiblings without siblings}, and
     *                                  all its places were given
     */
    @Override
    public Thread newThread(Runnable task) {
        Objects.requireNonNull(task, "task");
        int number = threads.getAndIncrement();
        CpuSet place = plan.place(number);
        return Thread.ofPlatform()
                .name(name + "-" + number)
                .daemon(false)
                .priority(Thread.NORM_PRIORITY)
                .unstarted(() -> {
                    Affinity.pinCurrentThread(place);
                    task.run();
                });
    }
}
