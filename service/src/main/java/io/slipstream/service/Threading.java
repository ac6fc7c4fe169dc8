package io.slipstream.service;

/** On how many threads the stages of a service run: never more of them runnable than there are processors. */
public enum Threading {
    /** All stages on one thread. */
    ONE,

    /** The journal, which waits for the disk, on a thread of its own; gateway and logic on another. */
    TWO,

    /** A thread for each stage. */
    THREE;

    /**
     * Returns what suits a machine with that many processors. On two of them one thread for all stages was as fast as
     * two or faster in all that was measured: the other processor has the network, the compiler and the collector to
     * run, and a hand-over between threads costs more than it gains.
     */
    public static Threading forProcessors(int processors) {
        return processors >= 4 ? THREE : processors == 3 ? TWO : ONE;
    }
}
