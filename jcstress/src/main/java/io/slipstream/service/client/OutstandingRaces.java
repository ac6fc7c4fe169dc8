package io.slipstream.service.client;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.thread.Signal;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A command that the client's thread sees has what belongs to it. */
public final class OutstandingRaces {
    private static final int CAPACITY = 1 << 10;
    private static final int ATTACHMENT = 7;
    private static final long NUMBER = 9;
    private static final MemorySegment PAYLOAD = MemorySegment.ofArray(new long[] {1});

    private OutstandingRaces() {}

    /** One thread sends, the client's thread looks for what there is to do. */
    @JCStressTest
    @Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "not seen yet")
    @Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "seen, with its attachment")
    @Outcome(expect = Expect.FORBIDDEN, desc = "seen, without it")
    @State
    public static class Added {
        private final Outstanding outstanding = new Outstanding(CAPACITY, new Signal(), false);

        /** Any thread. */
        @Actor
        public void sender() {
            outstanding.add(MessageType.COMMAND, PAYLOAD, 0, Long.BYTES, ATTACHMENT, null);
        }

        /** The client's thread. */
        @Actor
        public void link(I_Result result) {
            result.r1 = outstanding.newest() == 0 ? -1 : (int) outstanding.attachment(0);
        }

        /** Gives the memory back. */
        @Arbiter
        public void end(I_Result result) {
            outstanding.close();
        }
    }

    /** Broken twin: what belongs to the command is noted behind it. Must be found out. */
    @JCStressTest
    @JCStressMeta(Added.class)
    @State
    public static class BrokenAttachment {
        private final Outstanding outstanding = new Outstanding(CAPACITY, new Signal(), false);
        private final long[] attachments = new long[CAPACITY / Frame.ALIGNMENT];

        /** Any thread. */
        @Actor
        public void sender() {
            outstanding.add(MessageType.COMMAND, PAYLOAD, 0, Long.BYTES, 0, null);
            attachments[0] = ATTACHMENT;
        }

        /** The client's thread. */
        @Actor
        public void link(I_Result result) {
            result.r1 = outstanding.newest() == 0 ? -1 : (int) attachments[0];
        }

        /** Gives the memory back. */
        @Arbiter
        public void end(I_Result result) {
            outstanding.close();
        }
    }

    /** As {@link Added}, of a command under a number of its sender. */
    @JCStressTest
    @Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "not seen yet")
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "seen, and found by its number")
    @Outcome(expect = Expect.FORBIDDEN, desc = "seen, and its answer would be for nobody")
    @State
    public static class Numbered {
        private final Outstanding outstanding = new Outstanding(CAPACITY, new Signal(), true);

        /** Any thread. */
        @Actor
        public void sender() {
            outstanding.add(MessageType.COMMAND, NUMBER, PAYLOAD, 0, Long.BYTES, 0, null);
        }

        /** The client's thread. */
        @Actor
        public void link(I_Result result) {
            long end = outstanding.newest();
            result.r1 = end == 0 ? -1 : outstanding.find(NUMBER, end) == 0 ? 0 : -2;
        }

        /** Gives the memory back. */
        @Arbiter
        public void end(I_Result result) {
            outstanding.close();
        }
    }

    /** Broken twin: the number is noted behind the command. Must be found out. */
    @JCStressTest
    @JCStressMeta(Numbered.class)
    @State
    public static class BrokenNumber {
        private final Outstanding outstanding = new Outstanding(CAPACITY, new Signal(), true);
        private final Map<Long, Long> numbers = new ConcurrentHashMap<>();

        /** Any thread. */
        @Actor
        public void sender() {
            outstanding.add(MessageType.COMMAND, PAYLOAD, 0, Long.BYTES, 0, null);
            numbers.put(NUMBER, 0L);
        }

        /** The client's thread. */
        @Actor
        public void link(I_Result result) {
            result.r1 = outstanding.newest() == 0 ? -1 : numbers.containsKey(NUMBER) ? 0 : -2;
        }

        /** Gives the memory back. */
        @Arbiter
        public void end(I_Result result) {
            outstanding.close();
        }
    }
}
