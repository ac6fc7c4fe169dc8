package io.slipstream.benchmarks;

import io.slipstream.benchmarks.cluster.ClusterSuite;
import io.slipstream.benchmarks.codec.CodecSuite;
import io.slipstream.benchmarks.columns.BillionSuite;
import io.slipstream.benchmarks.columns.ColumnsSuite;
import io.slipstream.benchmarks.exchange.ExchangeSuite;
import io.slipstream.benchmarks.executor.ExecutorSuite;
import io.slipstream.benchmarks.http.HttpSuite;
import io.slipstream.benchmarks.index.IndexSuite;
import io.slipstream.benchmarks.ipc.IpcSuite;
import io.slipstream.benchmarks.journal.JournalSuite;
import io.slipstream.benchmarks.keyvalue.KeyValueSuite;
import io.slipstream.benchmarks.log.LogSuite;
import io.slipstream.benchmarks.queue.QueueSuite;
import io.slipstream.benchmarks.replica.ReplicaSuite;
import io.slipstream.benchmarks.ring.RingSuite;
import io.slipstream.benchmarks.service.ServiceSuite;
import io.slipstream.benchmarks.suite.Suite;
import io.slipstream.benchmarks.text.TextSuite;
import java.util.List;
import java.util.stream.Collectors;

/** All suites there are. */
final class Suites {
    private static final List<Suite> ALL = List.of(
            new ExchangeSuite(),
            new RingSuite(),
            new QueueSuite(),
            new ExecutorSuite(),
            new JournalSuite(),
            new CodecSuite(),
            new ColumnsSuite(),
            new BillionSuite(),
            new IndexSuite(),
            new IpcSuite(),
            new TextSuite(),
            new LogSuite(),
            new KeyValueSuite(),
            new ReplicaSuite(),
            new HttpSuite(),
            new ClusterSuite(),
            new ServiceSuite());

    private Suites() {}

    static Suite named(String name) {
        return ALL.stream()
                .filter(suite -> suite.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("there is no suite '" + name + "'; there are: " + names()));
    }

    static String names() {
        return ALL.stream().map(Suite::name).collect(Collectors.joining(", "));
    }
}
