package io.slipstream.cli;

import io.slipstream.core.affinity.Affinity;
import io.slipstream.core.affinity.Cache;
import io.slipstream.core.affinity.Cpu;
import io.slipstream.core.affinity.CpuSet;
import io.slipstream.core.affinity.PinPlan;
import io.slipstream.core.affinity.Topology;
import io.slipstream.core.memory.CacheLine;
import io.slipstream.core.memory.Pages;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A {@link Topology} as text: a tree of memory nodes, sockets and cores, then caches and memory, then what this process
 * may use.
 */
final class TopologyDrawing {
    private final Topology topology;
    private final Pages pages;
    private final OptionalInt cacheLineBytes;
    private final StringBuilder out = new StringBuilder();

    TopologyDrawing(Topology topology, Pages pages, OptionalInt cacheLineBytes) {
        this.topology = topology;
        this.pages = pages;
        this.cacheLineBytes = cacheLineBytes;
    }

    String draw() {
        line(
                "machine: %s, %s, %s, %s",
                count(topology.sockets(), "socket"),
                count(topology.cores(), "core"),
                count(topology.cpus().size(), "CPU"),
                count(topology.nodes(), "memory node"));
        branch(
                "",
                List.copyOf(by(topology.cpus(), Cpu::node).entrySet()),
                "node ",
                (prefix, inNode) ->
                        branch(prefix, List.copyOf(by(inNode, Cpu::socket).entrySet()), "socket ", this::cores));
        caches();
        memory();
        use();
        return out.toString();
    }

    /** Draws what is below one branch. */
    private interface Below {
        void draw(String prefix, List<Cpu> cpus);
    }

    private void branch(String prefix, List<Map.Entry<Integer, List<Cpu>>> groups, String what, Below below) {
        for (int i = 0; i < groups.size(); i++) {
            boolean last = i == groups.size() - 1;
            line("%s%s %s%d", prefix, last ? "└─" : "├─", what, groups.get(i).getKey());
            below.draw(prefix + (last ? "   " : "│  "), groups.get(i).getValue());
        }
    }

    private void cores(String prefix, List<Cpu> cpus) {
        List<Map.Entry<Integer, List<Cpu>>> cores =
                List.copyOf(by(cpus, Cpu::core).entrySet());
        for (int i = 0; i < cores.size(); i++) {
            String threads =
                    cores.get(i).getValue().stream().map(TopologyDrawing::label).collect(Collectors.joining("  "));
            line(
                    "%s%s core %d: %s",
                    prefix, i == cores.size() - 1 ? "└─" : "├─", cores.get(i).getKey(), threads);
        }
    }

    private static String label(Cpu cpu) {
        return "CPU " + cpu.number() + (cpu.allowed() ? "" : " (not allowed)") + (cpu.isolated() ? " (isolated)" : "");
    }

    private void caches() {
        if (topology.caches().isEmpty()) {
            line("caches: the system does not tell");
            return;
        }
        line("caches:");
        Map<String, List<Cache>> kinds = topology.caches().stream()
                .collect(Collectors.groupingBy(
                        cache -> String.format(
                                Locale.ROOT,
                                "L%d %-11s %10s, lines of %d bytes",
                                cache.level(),
                                cache.type().name().toLowerCase(Locale.ROOT),
                                size(cache.bytes()),
                                cache.lineBytes()),
                        TreeMap::new,
                        Collectors.toList()));
        kinds.forEach((kind, caches) -> line(
                "   %s: %s",
                kind,
                caches.stream()
                        .sorted(Comparator.comparing(
                                cache -> cache.sharedBy().stream().min().orElse(0)))
                        .map(cache -> "CPU " + cache.sharedBy())
                        .collect(Collectors.joining(" | "))));
    }

    private void memory() {
        line("memory:");
        line("   pages       %s, transparent huge pages: %s", known(pages.bytes()), pages.transparentHugePages());
        line(
                "   huge pages  %s, %s of them reserved and free",
                known(pages.hugePageBytes()),
                pages.hugePagesFree().isPresent() ? pages.hugePagesFree().getAsLong() : "unknown");
        line(
                "   cache line  %s%s",
                cacheLineBytes.isPresent() ? cacheLineBytes.getAsInt() + " bytes" : "unknown",
                cacheLineBytes.orElse(0) > CacheLine.PADDING_BYTES
                        ? "; fields that Slipstream keeps "
                                + CacheLine.PADDING_BYTES
                                + " bytes apart may share one, which slows threads down"
                        : "");
    }

    private static String known(OptionalLong bytes) {
        return bytes.isPresent() ? size(bytes.getAsLong()) : "unknown";
    }

    private void use() {
        line("this process:");
        line(
                "   may use     CPU %s%s",
                topology.allowed(),
                topology.quota().isPresent()
                        ? String.format(
                                Locale.ROOT,
                                ", at most %.2f of them at a time (control group)",
                                topology.quota().getAsDouble())
                        : "");
        CpuSet isolated = CpuSet.of(topology.cpus().stream()
                .filter(Cpu::isolated)
                .mapToInt(Cpu::number)
                .toArray());
        line("   isolated    %s", isolated.isEmpty() ? "none" : "CPU " + isolated);
        line(
                "   busy        at most %s can spin without taking the processor from each other",
                count(topology.busyThreads(), "thread"));
        PinPlan plan = PinPlan.onePerCore(topology);
        line(
                "   one a core  CPU %s, in this order",
                IntStream.range(0, plan.size())
                        .mapToObj(i -> plan.place(i).toString())
                        .collect(Collectors.joining(", ")));
        line("   pinning     %s", Affinity.means());
        line("   read from   %s", topology.origin());
    }

    private static TreeMap<Integer, List<Cpu>> by(List<Cpu> cpus, Function<Cpu, Integer> key) {
        return cpus.stream().collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()));
    }

    private static String count(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private static String size(long bytes) {
        return bytes >= 1 << 20 ? bytes / (1 << 20) + " MiB" : bytes / 1024 + " KiB";
    }

    private void line(String format, Object... arguments) {
        out.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }
}
