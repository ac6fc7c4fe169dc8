package io.slipstream.core.counters;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** A counter at one moment, as an event of JDK Flight Recorder. */
@Name("io.slipstream.Counter")
@Label("Counter")
@Category("Slipstream")
@Description("Depths, batches, refusals and stalls as the counters of the process show them")
@Period("1 s")
@StackTrace(false)
final class CounterSample extends Event {
    @Label("Owner")
    String owner = "";

    @Label("Label")
    String label = "";

    @Label("Type")
    String type = "";

    @Label("Value")
    long value;
}
