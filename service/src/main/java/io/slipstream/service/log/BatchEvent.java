package io.slipstream.service.log;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** A batch of the log, as an event of JDK Flight Recorder that lasts as long as its commit. */
@Name("io.slipstream.Batch")
@Label("Batch of the log")
@Category("Slipstream")
@Description("Entries that were written together and, at the level SYNC, forced")
@Threshold("1 ms")
@StackTrace(false)
final class BatchEvent extends Event {
    @Label("Last log entry in it")
    long sequence;

    @Label("Bytes")
    @DataAmount
    long bytes;
}
