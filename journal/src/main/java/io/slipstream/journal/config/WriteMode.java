package io.slipstream.journal.config;

/**
 * How a journal hands its bytes to the system. The format is the same for all; a journal can be reopened with another.
 */
public enum WriteMode {
    /** One write for a batch and, at {@link Durability#SYNC}, one force. The default, and the safest. */
    BUFFERED,

    /**
     * Each write returns when the device has it ({@code O_DSYNC}), so that none is forced; for devices that like that
     * better.
     */
    DSYNC,

    /**
     * As {@link #DSYNC}, and past the page cache ({@code O_DIRECT}), in whole blocks; where the file system can do it.
     * Reading back what was just written goes to the device, too.
     */
    DIRECT,

    /**
     * Frames are written into a mapping of the segment: no system call at {@link Durability#PROCESS}, so the fastest
     * for small commits there. Weaker than the others in one way: a device that fails is noticed when a segment is
     * forced, at {@link Durability#PROCESS} after the record was acknowledged, and as an error of the whole process if
     * a page cannot be read.
     */
    MAPPED
}
