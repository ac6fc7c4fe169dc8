package io.slipstream.service;

import io.slipstream.core.affinity.PinPlan;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.core.thread.Worker;
import io.slipstream.service.gateway.Gateway;
import io.slipstream.service.gateway.Gateways;
import io.slipstream.service.host.Host;
import io.slipstream.service.host.WorkerTask;
import io.slipstream.service.log.JournalStage;
import io.slipstream.service.logic.LogicStage;
import io.slipstream.service.logic.OwnEntries;
import io.slipstream.service.net.MemoryLink;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The threads of a service in the order of the stages: the one that writes the journal, the logic's, the gateways'. */
final class Stages {
    /* Its duties also look at the clock. */
    private static final long LONGEST_SLEEP_NANOS = 100_000_000;

    private static final long PAUSE_NANOS = 100_000;

    /* Where there is more than one thread, the logic's comes behind the journal's. */
    private static final int LOGIC = 1;

    /* Where each stage has a thread, those of the gateways come behind the journal and the logic. */
    private static final int FIRST_GATEWAY = 2;

    private final Host host;
    private final Threading threading;
    private final WaitStrategy waiting;
    private final @Nullable PinPlan pinning;
    private final ServiceCounters shown;
    private final Consumer<Throwable> failed;
    private final BooleanSupplier isApplied;
    private final List<Host.Task> tasks = new ArrayList<>();
    private boolean journalEnded;
    private boolean ended;

    /**
     * Creates none yet; {@link #start} does.
     *
     * @param failed    hears what ends one of them
     * @param isApplied whether the logic has come to where the journal is
     */
    Stages(
            Host host,
            ServiceConfig config,
            ServiceCounters shown,
            Consumer<Throwable> failed,
            BooleanSupplier isApplied) {
        this.host = host;
        this.isApplied = isApplied;
        this.threading = config.threading();
        WaitStrategy given = config.waiting().sleepingAtMost(LONGEST_SLEEP_NANOS);
        this.waiting = config.sharedMemory() == null ? given : MemoryLink.waiting(given);
        this.pinning = config.pinning();
        this.shown = shown;
        this.failed = failed;
    }

    /**
     * Gives each stage its thread, or a thread to several of them, and starts them.
     *
     * @param input  from the gateways to the journal and the logic
     * @param output from the logic to the gateways
     */
    void start(
            FrameRing input,
            FrameRing output,
            Signal journalSignal,
            JournalStage journal,
            LogicStage logic,
            Gateways gateways,
            OwnEntries own) {
        Gateway gateway = gateways.first();
        Signal gatewaySignal = gateway.signal();
        Signal logicSignal = threading == Threading.THREE ? new Signal() : gatewaySignal;
        // A thread that has published something goes round once more, and need not wake itself: that costs a fence
        // for each message.
        if (threading != Threading.ONE) {
            input.addSignal(journalSignal);
            journal.wakes(logicSignal);
            logic.wakes(journalSignal);
        }
        if (threading == Threading.THREE) {
            gateways.all().forEach(each -> output.addSignal(each.signal()));
        }
        switch (threading) {
            case ONE -> add("service", gatewaySignal, gateway, own, journal, logic, shown);
            case TWO -> {
                add("journal", journalSignal, journal);
                add("service", gatewaySignal, gateway, own, logic, shown);
            }
            case THREE -> {
                add("journal", journalSignal, journal);
                add("logic", logicSignal, logic);
                add("gateway", gatewaySignal, gateway, own, shown);
                List<Gateway> all = gateways.all();
                for (int i = 1; i < all.size(); i++) {
                    add(ServiceCounters.gateway(i), all.get(i).signal(), all.get(i));
                }
            }
        }
        tasks.forEach(Host.Task::start);
    }

    private void add(String name, Signal signal, Duty... duties) {
        Worker.Builder builder = Worker.builder("slipstream-" + name, List.of(duties))
                .waitStrategy(waiting)
                .signal(signal)
                .onFailure(failed);
        Host.Task task = host.task(pinning == null ? builder : builder.pinnedTo(pinning, tasks.size()));
        if (task instanceof WorkerTask(Worker worker)) {
            shown.addWorker(worker, name);
        }
        tasks.add(task);
    }

    /** Returns whether all threads run. Allocates nothing. */
    boolean areAlive() {
        return areAlive(0);
    }

    /** Returns whether the gateways' threads run, where they have their own. Allocates nothing. */
    boolean areGatewaysAlive() {
        return areAlive(FIRST_GATEWAY);
    }

    private boolean areAlive(int from) {
        boolean all = true;
        for (int i = from; i < tasks.size(); i++) {
            all &= tasks.get(i).isAlive();
        }
        return all;
    }

    /**
     * Ends the threads one after the other, and waits for all of them together at most that long. What the first one
     * has written into the log comes to the logic before that ends: a machine ends where a replay does.
     */
    void end(long withinNanos) {
        long deadline = host.nanoTime() + withinNanos;
        journalEnded = true;
        ended = true;
        for (int i = 0; i < tasks.size(); i++) {
            if (i == LOGIC || threading == Threading.ONE) {
                awaitLogic(deadline);
            }
            if (i == FIRST_GATEWAY) {
                // All at a time: each gives its clients a while to take what they are owed.
                tasks.subList(i + 1, tasks.size()).forEach(further -> further.end(1));
            }
            boolean hasEnded = tasks.get(i).end(Math.max(1, deadline - host.nanoTime()));
            ended &= hasEnded;
            // The first one writes the journal.
            journalEnded &= hasEnded || i > 0;
        }
    }

    private void awaitLogic(long deadline) {
        while (!isApplied.getAsBoolean() && areAlive(tasks.size() == 1 ? 0 : LOGIC) && host.nanoTime() - deadline < 0) {
            host.pause(PAUSE_NANOS);
        }
    }

    /** Returns whether {@link #end} has ended the thread that writes the journal. */
    boolean hasJournalEnded() {
        return journalEnded;
    }

    /** Returns whether {@link #end} has ended all threads. */
    boolean haveEnded() {
        return ended;
    }

    /** Ends the threads of a service that has not come to serve. */
    void abandon() {
        tasks.forEach(Host.Task::close);
    }
}
