package io.slipstream.keyvalue;

import io.slipstream.keyvalue.command.Interpreter;
import io.slipstream.keyvalue.resp.SlowLog;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Prefetching;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.machine.Timed;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** The state machine: keys and what they hold. Its time is that of the log. */
public final class KeyValueStore implements StateMachine, Timed, Prefetching {
    private final SlowLog slowLog;
    private Interpreter interpreter;

    /** Creates an empty store. */
    public KeyValueStore() {
        this(new SlowLog());
    }

    /**
     * Creates an empty store.
     *
     * @param slowLog takes its commands that took long, with the clients of the protocol whose {@link SlowLog} it is
     */
    public KeyValueStore(SlowLog slowLog) {
        this.slowLog = slowLog;
        this.interpreter = new Interpreter(slowLog);
    }

    @Override
    public void onCommand(Request command, Output output) {
        interpreter.command(command, output);
        hold();
    }

    @Override
    public void onQuery(Request query, Output output) {
        interpreter.query(query, output);
        hold();
    }

    @Override
    public void onTimer(long timer, Output output) {
        interpreter.timer(timer, output);
        hold();
    }

    @Override
    public void onSessionClose(long session, Output output) {
        interpreter.end(session, output);
        hold();
    }

    @Override
    public void took(long session, MemorySegment memory, long offset, int length, long nanos) {
        interpreter.took(session, memory, offset, length, nanos);
    }

    @Override
    public void expect(MemorySegment memory, long offset, int length) {
        interpreter.expect(memory, offset, length);
    }

    @Override
    public void prefetch() {
        interpreter.prefetch();
        hold();
    }

    @Override
    public long stateHash() {
        return interpreter.hash();
    }

    @Override
    public void save(StateOutput output) {
        interpreter.save(output);
        hold();
    }

    @Override
    public void load(StateInput input, int version) {
        interpreter.close();
        interpreter = new Interpreter(slowLog);
        interpreter.load(input, version);
        hold();
    }

    /** The memory outside the heap lives as long as this does, and so until the end of each call. */
    private void hold() {
        Reference.reachabilityFence(this);
    }

    /** Gives the memory of the keys back. */
    @Override
    public void close() {
        interpreter.close();
    }

    @Override
    public String name() {
        return "keyvalue";
    }

    /** Version 2 has more than one database, and ends the wait of a group for a stream that was removed. */
    @Override
    public int version() {
        return 2;
    }

    /** Version 0 expired, evicted, refused and saved otherwise. */
    @Override
    public int oldestVersion() {
        return 1;
    }
}
