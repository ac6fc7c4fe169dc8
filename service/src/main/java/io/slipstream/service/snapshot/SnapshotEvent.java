package io.slipstream.service.snapshot;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A snapshot that was taken, or could not be, as an event of JDK Flight Recorder; lasts as long as taking it. */
@Name("io.slipstream.Snapshot")
@Label("Snapshot")
@Category("Slipstream")
@StackTrace(false)
final class SnapshotEvent extends Event {
    @Label("Last log entry in it")
    long sequence;

    @Label("Bytes of state")
    @DataAmount
    long bytes;

    @Label("How long commands waited for it")
    @Timespan
    long pause;

    @Label("Why there is none")
    String failure = "";
}
