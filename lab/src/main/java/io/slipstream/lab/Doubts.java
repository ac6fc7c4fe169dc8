package io.slipstream.lab;

import io.slipstream.lab.machine.MachineSheet;
import java.util.ArrayList;
import java.util.List;

/** What about a machine speaks against trusting a verdict that is near the line. */
final class Doubts {
    private Doubts() {}

    /** Those that concern an experiment, in words that stand after "here"; none on a machine as it should be. */
    static List<String> of(Card card, MachineSheet machine) {
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
        if (machine.isLoaded()) {
            doubts.add("something else was running when the lab began");
        }
        if (machine.hasChangingClock()) {
            doubts.add("the clock's frequency may have changed (governor " + machine.governor() + ")");
        }
        return doubts;
    }
}
