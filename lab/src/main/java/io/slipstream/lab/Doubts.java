package io.slipstream.lab;

import io.slipstream.lab.machine.MachineSheet;
import java.util.ArrayList;
import java.util.List;

/** What about a machine speaks against trusting a verdict that is near the line. */
final class Doubts {
    private Doubts() {}

    /**
     * Those that concern an experiment, in words that stand after "here"; none on a machine as it should be.
     *
     * @param threads the most that a case of it kept busy
     */
    static List<String> of(Card card, MachineSheet machine, int threads) {
        List<String> doubts = new ArrayList<>();
        if (machine.isVirtual() && card.dependsOnDistance()) {
            doubts.add("a virtual machine may move its processors while threads meet");
        }
        if (machine.isVirtual() && card.group() == Group.IO) {
            doubts.add("a virtual machine shares its disk with others");
        }
        if (machine.usableCores() < Math.min(card.cpus(), machine.usableCpus())) {
            doubts.add("processors share a core, so that threads that should meet on two cores met on one");
        }
        int cpus = machine.usableCpus();
        if (threads >= cpus) {
            doubts.add(threads + (threads == 1 ? " thread" : " threads") + " took "
                    + (cpus == 1 ? "the one processor" : "all " + cpus + " processors")
                    + ", so that the system and the JVM's own threads took turns with them, and of disturbances"
                    + " only time that"
                    + " others used or that was stolen could be seen");
        }
        if (machine.isLoaded()) {
            doubts.add("something else was running when the lab began");
        }
        if (machine.hasChangingClock()) {
            doubts.add("the clock's frequency may have changed (governor " + machine.governor() + ")");
        }
        return doubts;
    }
}
