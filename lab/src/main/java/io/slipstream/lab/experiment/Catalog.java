package io.slipstream.lab.experiment;

import io.slipstream.lab.Experiment;
import io.slipstream.lab.experiment.data.CollectionsCompared;
import io.slipstream.lab.experiment.data.FieldUpdate;
import io.slipstream.lab.experiment.data.KNucleotideCount;
import io.slipstream.lab.experiment.data.RoundingDoubles;
import io.slipstream.lab.experiment.data.Serialisation;
import io.slipstream.lab.experiment.data.SplittingText;
import io.slipstream.lab.experiment.flow.BackPressure;
import io.slipstream.lab.experiment.flow.LoggingOffTheMainFlow;
import io.slipstream.lab.experiment.flow.SmartBatching;
import io.slipstream.lab.experiment.io.BufferSizes;
import io.slipstream.lab.experiment.io.GrowingFile;
import io.slipstream.lab.experiment.io.SequentialFileIo;
import io.slipstream.lab.experiment.io.SmallFiles;
import io.slipstream.lab.experiment.jvm.CallArguments;
import io.slipstream.lab.experiment.jvm.GcPauses;
import io.slipstream.lab.experiment.jvm.InterfaceDispatch;
import io.slipstream.lab.experiment.jvm.ManyInterfaces;
import io.slipstream.lab.experiment.jvm.MethodHandleCalls;
import io.slipstream.lab.experiment.jvm.WarmingUp;
import io.slipstream.lab.experiment.machine.CoreToCore;
import io.slipstream.lab.experiment.machine.MemoryLatency;
import io.slipstream.lab.experiment.memory.FalseSharing;
import io.slipstream.lab.experiment.memory.GroupedBarriers;
import io.slipstream.lab.experiment.memory.MemoryAccessPatterns;
import io.slipstream.lab.experiment.memory.MemoryBarriers;
import io.slipstream.lab.experiment.memory.MemoryWithoutGc;
import io.slipstream.lab.experiment.memory.SiblingStores;
import io.slipstream.lab.experiment.memory.WalksFurther;
import io.slipstream.lab.experiment.memory.WriteCombining;
import io.slipstream.lab.experiment.network.EchoLatency;
import io.slipstream.lab.experiment.network.Multicast;
import io.slipstream.lab.experiment.network.Nagle;
import io.slipstream.lab.experiment.network.ReceiveBufferSize;
import io.slipstream.lab.experiment.network.TcpOverhead;
import io.slipstream.lab.experiment.product.CodecOfAnObject;
import io.slipstream.lab.experiment.product.ExecutorTasks;
import io.slipstream.lab.experiment.product.HugeCollection;
import io.slipstream.lab.experiment.product.RingEvents;
import io.slipstream.lab.experiment.product.SharedMemory;
import io.slipstream.lab.experiment.threads.AtomicCounters;
import io.slipstream.lab.experiment.threads.BusyNeighbours;
import io.slipstream.lab.experiment.threads.ConditionSignalling;
import io.slipstream.lab.experiment.threads.CostOfContention;
import io.slipstream.lab.experiment.threads.FollowTheWriter;
import io.slipstream.lab.experiment.threads.InterThreadLatency;
import io.slipstream.lab.experiment.threads.LockImplementations;
import io.slipstream.lab.experiment.threads.LockingStrategies;
import io.slipstream.lab.experiment.threads.SizeTrackedQueue;
import io.slipstream.lab.experiment.threads.TestingThreadSafety;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** All experiments, in the order in which they are listed, run and reported. A new one is added here. */
public final class Catalog {
    private static final List<Experiment> ALL = List.of(
            new CoreToCore(),
            new MemoryLatency(),
            new WriteCombining(),
            new FalseSharing(),
            new InterThreadLatency(),
            new ConditionSignalling(),
            new AtomicCounters(),
            new CostOfContention(),
            new LockImplementations(),
            new SequentialFileIo(),
            new InterfaceDispatch(),
            new MemoryAccessPatterns(),
            new SmartBatching(),
            new Multicast(),
            new BackPressure(),
            new Serialisation(),
            new ReceiveBufferSize(),
            new Nagle(),
            new LockingStrategies(),
            new FollowTheWriter(),
            new MethodHandleCalls(),
            new TestingThreadSafety(),
            new BufferSizes(),
            new CollectionsCompared(),
            new MemoryWithoutGc(),
            new EchoLatency(),
            new SmallFiles(),
            new FieldUpdate(),
            new RoundingDoubles(),
            new SplittingText(),
            new GcPauses(),
            new TcpOverhead(),
            new MemoryBarriers(),
            new KNucleotideCount(),
            new GrowingFile(),
            new SizeTrackedQueue(),
            new CallArguments(),
            new ManyInterfaces(),
            new WarmingUp(),
            new BusyNeighbours(),
            new WalksFurther(),
            new SiblingStores(),
            new GroupedBarriers(),
            new LoggingOffTheMainFlow(),
            new RingEvents(),
            new SharedMemory(),
            new ExecutorTasks(),
            new HugeCollection(),
            new CodecOfAnObject());

    private Catalog() {}

    public static List<Experiment> all() {
        return ALL;
    }

    /**
     * The experiment of an id.
     *
     * @throws UnknownId when there is none of this id; its message names the nearest
     */
    public static Experiment get(String id) {
        return ALL.stream()
                .filter(e -> e.card().id().equalsIgnoreCase(id))
                .findFirst()
                .orElseThrow(() -> new UnknownId(id));
    }

    /**
     * The experiments of ids, groups or {@code all}, in the order of the catalog, each once; all of them when nothing
     * is given.
     */
    public static List<Experiment> select(List<String> names) {
        List<String> wanted = new ArrayList<>();
        for (String name : names) {
            String lower = name.toLowerCase(Locale.ROOT);
            List<String> ids = ALL.stream()
                    .filter(e -> lower.equals("all")
                            || e.card().group().id().equals(lower)
                            || e.card().id().equalsIgnoreCase(lower))
                    .map(e -> e.card().id())
                    .toList();
            if (ids.isEmpty()) {
                throw new UnknownId(name);
            }
            wanted.addAll(ids);
        }
        return names.isEmpty()
                ? ALL
                : ALL.stream().filter(e -> wanted.contains(e.card().id())).toList();
    }

    /** Somebody asked for an experiment that is not here. */
    public static final class UnknownId extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        UnknownId(String id) {
            super("no experiment or group '" + id + "'. "
                    + Nearest.to(id, ALL)
                            .map(nearest -> "Did you mean " + nearest + "? ")
                            .orElse("")
                    + "'slipstream lab list' shows them all.");
        }
    }
}
