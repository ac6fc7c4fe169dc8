package io.slipstream.lab.experiment;

import io.slipstream.lab.Experiment;
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
            new KNucleotideCount());

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
                    + Nearest.to(id, ALL).map(nearest -> "Did you mean " + nearest + "? ").orElse("")
                    + "'slipstream lab list' shows them all.");
        }
    }
}
