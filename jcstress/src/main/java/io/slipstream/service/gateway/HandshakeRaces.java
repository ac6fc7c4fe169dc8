package io.slipstream.service.gateway;

import io.slipstream.core.thread.Signal;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** What a task of TLS has computed is there when the gateway hears that the connection can go on. */
public final class HandshakeRaces {
    private static final Integer CONNECTION = 7;

    private HandshakeRaces() {}

    /** The task runs on another thread than the gateway. */
    @JCStressTest
    @Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "nothing can go on yet")
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "it can, and its keys are there")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it can, without its keys")
    @State
    public static class Computed {
        private final Handshakes<Integer> handshakes = new Handshakes<>(Runnable::run, new Signal());
        private int keys;

        /** The thread of the task. */
        @Actor
        public void elsewhere() {
            handshakes.of(CONNECTION).accept(() -> keys = 1);
        }

        /** The gateway. */
        @Actor
        public void gateway(I_Result result) {
            result.r1 = handshakes.next() == null ? -1 : keys;
        }
    }

    /** Broken twin: says that it can go on before the task has run. Must be found out. */
    @JCStressTest
    @JCStressMeta(Computed.class)
    @State
    public static class BrokenOrder {
        private final Queue<Integer> computed = new ConcurrentLinkedQueue<>();
        private int keys;

        /** The thread of the task. */
        @Actor
        public void elsewhere() {
            computed.add(CONNECTION);
            keys = 1;
        }

        /** The gateway. */
        @Actor
        public void gateway(I_Result result) {
            result.r1 = computed.poll() == null ? -1 : keys;
        }
    }
}
