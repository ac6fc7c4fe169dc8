package io.slipstream.service;

/** On how many threads the stages of a service run: never more of them runnable than there are processors. */
public enum Threading {
    /** All stages on one thread. */
    ONE,

    /** The journal, which waits for the disk, on a thread of its own; gateway and logic on another. */
    TWO,

    /** A thread for each stage. */
    THREE;

    /** Returns what suits a machine with that many processors. */
    public static Threading forProcessors(int processors) {
        return processors >= 4 ? THREE : processors >= 2 ? TWO : ONE;
    }
}
