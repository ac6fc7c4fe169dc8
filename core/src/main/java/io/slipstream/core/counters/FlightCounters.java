package io.slipstream.core.counters;

import java.io.IOException;
import java.nio.file.Path;
import jdk.jfr.FlightRecorder;

/**
 * Puts the counters of a process into the recordings of JDK Flight Recorder: one event {@code io.slipstream.Counter}
 * for each counter and second, or as often as the recording asks for. What is counted is not touched: there is no cost
 * on its threads, and none at all while nothing records. Forces are events of the JDK itself, {@code jdk.FileForce}.
 *
 * <p>Needs the module {@code jdk.jfr}; see {@link #isAvailable}. Any thread.
 */
public final class FlightCounters implements AutoCloseable {
    private final CountersReader reader;
    private final Runnable hook = this::record;
    private boolean closed;

    private FlightCounters(CountersReader reader) {
        this.reader = reader;
    }

    /** Returns whether this process has the Flight Recorder: a runtime image may leave it out. */
    public static boolean isAvailable() {
        return ModuleLayer.boot().findModule("jdk.jfr").isPresent();
    }

    /**
     * Begins to put the counters of a file into recordings.
     *
     * @throws IOException if the file cannot be read, or is no counters file
     */
    public static FlightCounters start(Path file) throws IOException {
        FlightCounters counters = new FlightCounters(CountersReader.open(file));
        FlightRecorder.addPeriodicEvent(CounterSample.class, counters.hook);
        return counters;
    }

    private synchronized void record() {
        if (closed) {
            return;
        }
        try {
            reader.read().forEach(FlightCounters::commit);
        } catch (IOException e) {
            // The counters change too fast to be read together, or their file is gone: this second has none.
        }
    }

    private static void commit(CounterValue counter) {
        CounterSample sample = new CounterSample();
        sample.owner = counter.owner();
        sample.label = counter.label();
        sample.type = counter.type().name();
        sample.value = counter.value();
        sample.commit();
    }

    @Override
    public void close() {
        FlightRecorder.removePeriodicEvent(hook);
        synchronized (this) {
            if (!closed) {
                closed = true;
                reader.close();
            }
        }
    }
}
