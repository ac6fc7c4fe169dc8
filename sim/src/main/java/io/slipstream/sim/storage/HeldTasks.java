package io.slipstream.sim.storage;

import io.slipstream.journal.storage.BackgroundTasks;
import java.util.ArrayDeque;

/** Tasks that wait until the simulation lets one of them run. For one thread. */
final class HeldTasks implements BackgroundTasks {
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();

    @Override
    public void execute(Runnable task) {
        waiting.add(task);
    }

    @Override
    public boolean runOne() {
        Runnable task = waiting.poll();
        if (task == null) {
            return false;
        }
        task.run();
        return true;
    }
}
