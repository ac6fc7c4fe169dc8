package io.slipstream.core.thread;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** A long round of duties, as an event of JDK Flight Recorder that lasts as long as the round. */
@Name("io.slipstream.Stall")
@Label("Stall")
@Category("Slipstream")
@Description("A round of duties, or time that the system took, for which all else on the thread had to wait")
@Threshold("1 ms")
@StackTrace(false)
final class StallEvent extends Event {}
