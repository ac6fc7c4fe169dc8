package io.slipstream.sim.storage;

/** The machine, or the process, has stopped in the middle of an operation of its storage. */
public final class SimulatedCrash extends Error {
    private static final long serialVersionUID = 1;

    /** Creates the crash. */
    public SimulatedCrash() {
        super("simulated crash");
    }
}
