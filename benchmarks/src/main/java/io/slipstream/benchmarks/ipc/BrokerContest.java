package io.slipstream.benchmarks.ipc;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.broker.Broker;
import java.io.IOException;

/** The example of client, broker and consumer as three processes: million messages a second over both hops. */
final class BrokerContest implements Contest {
    private static final String UNIT = " million messages/s";

    private final long messages;

    BrokerContest(long messages) {
        this.messages = messages;
    }

    @Override
    public double ours() throws Exception {
        return run("memory");
    }

    @Override
    public double peer() throws Exception {
        return run("tcp");
    }

    private double run(String transport) throws Exception {
        String said = Broker.run(transport, messages);
        int end = said.indexOf(UNIT);
        if (end < 0) {
            throw new IOException("the broker said: " + said);
        }
        return Double.parseDouble(said.substring(transport.length() + 2, end));
    }
}
