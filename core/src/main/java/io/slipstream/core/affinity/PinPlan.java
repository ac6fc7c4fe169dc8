package io.slipstream.core.affinity;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Which thread goes to which CPU: the first thread to the first CPU of the plan, and so on; further threads start over,
 * but for {@link #withoutSiblings}, which has no place for them.
 *
 * <p>Plans keep to the CPUs that are allowed, and are made for one machine when they are created.
 */
public final class PinPlan {
    private final List<CpuSet> places;
    private final boolean startsOver;

    private PinPlan(List<CpuSet> places) {
        this(places, true);
    }

    private PinPlan(List<CpuSet> places, boolean startsOver) {
        this.places = List.copyOf(places);
        this.startsOver = startsOver;
    }

    /**
     * Plans exactly these CPUs, in this order.
     *
     * @throws IllegalArgumentException if there is none, or one is named twice, does not exist or is not allowed
     */
    public static PinPlan cpus(Topology topology, int... cpus) {
        if (cpus.length == 0) {
            throw new IllegalArgumentException("a plan needs at least one CPU");
        }
        List<CpuSet> places = new ArrayList<>();
        for (int cpu : cpus) {
            if (topology.cpu(cpu).isEmpty()) {
                throw new IllegalArgumentException("there is no CPU " + cpu + " here; online are " + online(topology));
            }
            if (!topology.allowed().contains(cpu)) {
                throw new IllegalArgumentException("CPU " + cpu + " is not allowed to this process; allowed are "
                        + topology.allowed() + " (see taskset and the control group)");
            }
            if (places.contains(CpuSet.of(cpu))) {
                throw new IllegalArgumentException("CPU " + cpu
                        + " is named twice; threads that may share one get it when a plan starts over,"
                        + " or by a plan of their own");
            }
            places.add(CpuSet.of(cpu));
        }
        return new PinPlan(places);
    }

    /**
     * Plans one CPU of each core, so that no two threads are siblings as long as there are cores: isolated ones first,
     * since nothing else runs there, then by number. When each core has one, the siblings follow.
     */
    public static PinPlan onePerCore(Topology topology) {
        return new PinPlan(spread(isolatedFirst(topology)));
    }

    /**
     * As {@link #onePerCore}, for {@code threads} threads of which no two shall ever share a core, since siblings slow
     * each other down. So the plan does not start over: {@link #place} refuses further threads.
     *
     * @throws IllegalArgumentException if there are not so many cores, or {@code threads} is less than 1
     */
    public static PinPlan withoutSiblings(Topology topology, int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("a plan is for at least 1 thread, not " + threads);
        }
        List<Cpu> usable = isolatedFirst(topology);
        long cores = usable.stream().map(Cpu::core).distinct().count();
        if (threads > cores) {
            throw new IllegalArgumentException(threads + " threads cannot each have a core: the CPUs "
                    + topology.allowed()
                    + " that are allowed to this process belong to " + cores);
        }
        return new PinPlan(spread(usable).subList(0, threads), false);
    }

    private static List<Cpu> isolatedFirst(Topology topology) {
        List<Cpu> usable = usable(topology);
        usable.sort(Comparator.comparing(Cpu::isolated).reversed().thenComparing(Cpu::number));
        return usable;
    }

    /**
     * Plans CPUs as near to {@code cpu} as can be, without itself: those with which it shares the smallest cache, but
     * not its core, then its NUMA node, then its socket, then the others; its siblings come last.
     *
     * @throws IllegalArgumentException if it does not exist
     */
    public static PinPlan near(Topology topology, int cpu) {
        Cpu center = topology.cpu(cpu)
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no CPU " + cpu + " here; online are " + online(topology)));
        List<Cpu> usable = usable(topology);
        usable.removeIf(candidate -> candidate.number() == cpu);
        if (usable.isEmpty()) {
            throw new IllegalArgumentException("CPU " + cpu + " is the only one that is allowed to this process");
        }
        usable.sort(Comparator.<Cpu>comparingInt(candidate -> distance(topology, center, candidate))
                .thenComparing(Cpu::number));
        return new PinPlan(
                usable.stream().map(candidate -> CpuSet.of(candidate.number())).toList());
    }

    /**
     * Plans CPUs as near as can be to that of the calling thread, which should be pinned: for the threads that it
     * exchanges data with. Where the system does not tell on which CPU it runs, or it is the only one, this is
     * {@link #onePerCore}.
     */
    public static PinPlan nearThisThread(Topology topology) {
        OptionalInt cpu = Affinity.cpuOfCurrentThread();
        return cpu.isEmpty()
                        || topology.cpu(cpu.getAsInt()).isEmpty()
                        || topology.allowed().size() == 1
                ? onePerCore(topology)
                : near(topology, cpu.getAsInt());
    }

    private static int distance(Topology topology, Cpu center, Cpu candidate) {
        if (candidate.core() == center.core()) {
            return Integer.MAX_VALUE;
        }
        int sharedLevel = topology.caches().stream()
                .filter(cache -> cache.sharedBy().contains(center.number())
                        && cache.sharedBy().contains(candidate.number()))
                .mapToInt(Cache::level)
                .min()
                .orElse(9);
        int farNode = candidate.node() == center.node() ? 0 : 1;
        int farSocket = candidate.socket() == center.socket() ? 0 : 1;
        return sharedLevel * 4 + farNode * 2 + farSocket;
    }

    private static List<CpuSet> spread(List<Cpu> usable) {
        List<CpuSet> places = new ArrayList<>();
        List<Cpu> left = new ArrayList<>(usable);
        while (!left.isEmpty()) {
            Set<Integer> cores = new HashSet<>();
            left.removeIf(cpu -> {
                boolean first = cores.add(cpu.core());
                if (first) {
                    places.add(CpuSet.of(cpu.number()));
                }
                return first;
            });
        }
        return places;
    }

    private static List<Cpu> usable(Topology topology) {
        return new ArrayList<>(topology.cpus().stream().filter(Cpu::allowed).toList());
    }

    private static CpuSet online(Topology topology) {
        return CpuSet.of(topology.cpus().stream().mapToInt(Cpu::number).toArray());
    }

    /** Returns how many threads the plan has CPUs for before it starts over, or at all. */
    public int size() {
        return places.size();
    }

    /**
     * Returns where the thread of that number goes, counted from 0.
     *
     * @throws IllegalArgumentException if the plan is one {@link #withoutSiblings} and was made for fewer threads
     */
    public CpuSet place(int thread) {
        if (!startsOver && (thread < 0 || thread >= places.size())) {
            throw new IllegalArgumentException("this plan without siblings was made for " + places.size()
                    + " threads, and has no place for number " + thread
                    + ", counted from 0; make it for as many as there are");
        }
        return places.get(Math.floorMod(thread, places.size()));
    }

    @Override
    public String toString() {
        return places.toString();
    }
}
