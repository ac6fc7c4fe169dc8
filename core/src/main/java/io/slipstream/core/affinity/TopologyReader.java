package io.slipstream.core.affinity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a {@link Topology} from Linux's {@code /sys} and {@code /proc}; tests give another root. */
final class TopologyReader {
    private final Path root;
    private final Path cpuFolder;

    TopologyReader(Path root) {
        this.root = root;
        this.cpuFolder = root.resolve("sys/devices/system/cpu");
    }

    Topology read() {
        try {
            CpuSet online = CpuSet.parse(text(cpuFolder.resolve("online")).orElse(""));
            if (!online.isEmpty()) {
                return fromSystem(online);
            }
            return fallback(cpuFolder + " does not exist here");
        } catch (IllegalArgumentException e) {
            return fallback("what " + cpuFolder + " says is not understood: " + e.getMessage());
        }
    }

    private Topology fromSystem(CpuSet online) {
        CpuSet isolated = CpuSet.parse(text(cpuFolder.resolve("isolated")).orElse(""));
        CpuSet allowed = allowed(online, isolated);
        Map<Integer, Integer> nodes = nodes();
        Map<CpuSet, Integer> cores = new HashMap<>();
        List<Cpu> cpus = new ArrayList<>();
        online.stream().forEach(number -> {
            Path folder = cpuFolder.resolve("cpu" + number + "/topology");
            CpuSet siblings = text(folder.resolve("thread_siblings_list"))
                    .map(CpuSet::parse)
                    .orElse(CpuSet.of(number));
            cpus.add(new Cpu(
                    number,
                    Math.max(0, number(folder.resolve("physical_package_id"), 0)),
                    cores.computeIfAbsent(siblings, key -> cores.size()),
                    nodes.getOrDefault(number, 0),
                    siblings,
                    allowed.contains(number),
                    isolated.contains(number)));
        });
        boolean smt = cpus.stream().anyMatch(cpu -> cpu.siblings().size() > 1);
        return new Topology(cpus, caches(online), allowed, quota(), smt, cpuFolder.toString());
    }

    /** Where nothing is known: as many CPUs as the JVM counts, none of which shares a core. */
    private static Topology fallback(String reason) {
        int count = Runtime.getRuntime().availableProcessors();
        CpuSet all = CpuSet.of(IntStream.range(0, count).toArray());
        List<Cpu> cpus = all.stream()
                .mapToObj(number -> new Cpu(number, 0, number, 0, CpuSet.of(number), true, false))
                .toList();
        return new Topology(cpus, List.of(), all, OptionalDouble.empty(), false, "the JVM; " + reason);
    }

    /**
     * Reads the affinity mask. That which processes inherit lacks the isolated CPUs, but threads may be pinned to them,
     * within the control group; so where it lacks these alone they are added. A narrower mask was somebody's choice.
     */
    private CpuSet allowed(CpuSet online, CpuSet isolated) {
        CpuSet mask = statusLine("Cpus_allowed_list:")
                .map(CpuSet::parse)
                .orElse(online)
                .and(online);
        CpuSet reachable = reachable(online);
        return mask.isEmpty() ? online : mask.equals(reachable.minus(isolated)) ? reachable : mask;
    }

    /** Returns the CPUs of the control group of this process, of version 2 or 1. */
    private CpuSet reachable(CpuSet online) {
        CpuSet reachable = online;
        for (Path folder : controlGroup("cpuset")) {
            Optional<String> cpus = text(folder.resolve("cpuset.cpus.effective"))
                    .or(() -> text(folder.resolve("cpuset.effective_cpus")));
            reachable = reachable.and(cpus.map(CpuSet::parse).orElse(online));
        }
        return reachable;
    }

    private Optional<String> statusLine(String name) {
        return text(root.resolve("proc/self/status")).stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip())
                .findFirst();
    }

    private Map<Integer, Integer> nodes() {
        Map<Integer, Integer> nodes = new HashMap<>();
        Path folder = root.resolve("sys/devices/system/node");
        CpuSet.parse(text(folder.resolve("online")).orElse("")).stream()
                .forEach(node -> CpuSet.parse(
                                text(folder.resolve("node" + node + "/cpulist")).orElse(""))
                        .stream()
                        .forEach(cpu -> nodes.put(cpu, node)));
        return nodes;
    }

    private List<Cache> caches(CpuSet online) {
        Map<String, Cache> caches = new LinkedHashMap<>();
        online.stream().forEach(number -> {
            try (Stream<Path> folders = Files.list(cpuFolder.resolve("cpu" + number + "/cache"))) {
                folders.filter(folder -> folder.getFileName().toString().startsWith("index"))
                        .sorted()
                        .map(this::cache)
                        .flatMap(Optional::stream)
                        .forEach(cache ->
                                caches.putIfAbsent(cache.level() + " " + cache.type() + " " + cache.sharedBy(), cache));
            } catch (IOException e) {
                // Some virtual machines do not show their caches.
            }
        });
        return caches.values().stream()
                .sorted(Comparator.comparingInt(Cache::level).thenComparing(Cache::type))
                .toList();
    }

    private Optional<Cache> cache(Path folder) {
        Optional<String> size = text(folder.resolve("size"));
        Optional<String> shared = text(folder.resolve("shared_cpu_list"));
        if (size.isEmpty() || shared.isEmpty()) {
            return Optional.empty();
        }
        Cache.Type type = switch (text(folder.resolve("type")).orElse("").toLowerCase(Locale.ROOT)) {
            case "data" -> Cache.Type.DATA;
            case "instruction" -> Cache.Type.INSTRUCTION;
            default -> Cache.Type.UNIFIED;
        };
        return Optional.of(new Cache(
                number(folder.resolve("level"), 0),
                type,
                bytes(size.get()),
                number(folder.resolve("coherency_line_size"), 64),
                CpuSet.parse(shared.get())));
    }

    private static long bytes(String size) {
        char unit = size.charAt(size.length() - 1);
        int shift = switch (unit) {
            case 'K' -> 10;
            case 'M' -> 20;
            case 'G' -> 30;
            default -> 0;
        };
        return Long.parseLong(shift == 0 ? size : size.substring(0, size.length() - 1)) << shift;
    }

    /** Reads the limit of the control group of this process, of version 2 or 1, at its own level and all above. */
    private OptionalDouble quota() {
        double least = controlGroup("cpu").stream()
                .mapToDouble(folder -> Math.min(quotaOfVersion2(folder), quotaOfVersion1(folder)))
                .min()
                .orElse(Double.MAX_VALUE);
        return least == Double.MAX_VALUE ? OptionalDouble.empty() : OptionalDouble.of(least);
    }

    /**
     * Returns where the control group of this process for {@code controller} is described, of version 2 or 1, at its
     * own level and all above.
     */
    private List<Path> controlGroup(String controller) {
        List<Path> folders = new ArrayList<>();
        for (String line : text(root.resolve("proc/self/cgroup")).stream()
                .flatMap(String::lines)
                .toList()) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty()) {
                addUpward(root.resolve("sys/fs/cgroup"), parts[2], folders);
            } else if (parts.length == 3 && List.of(parts[1].split(",")).contains(controller)) {
                addUpward(root.resolve("sys/fs/cgroup").resolve(controller), parts[2], folders);
            }
        }
        return folders;
    }

    /**
     * A process in a container may see its group's path as of the host, while the mount shows the group itself as its
     * top.
     */
    private static void addUpward(Path mount, String group, List<Path> folders) {
        folders.add(mount);
        Path folder =
                mount.resolve(group.substring(Math.min(1, group.length()))).normalize();
        while (folder != null && folder.startsWith(mount) && !folder.equals(mount)) {
            folders.add(folder);
            folder = folder.getParent();
        }
    }

    private static double quotaOfVersion2(Path folder) {
        String[] parts = text(folder.resolve("cpu.max")).orElse("max").split(" ");
        return parts.length != 2 || parts[0].equals("max")
                ? Double.MAX_VALUE
                : Double.parseDouble(parts[0]) / Double.parseDouble(parts[1]);
    }

    private static double quotaOfVersion1(Path folder) {
        int quota = number(folder.resolve("cpu.cfs_quota_us"), -1);
        int period = number(folder.resolve("cpu.cfs_period_us"), 0);
        return quota <= 0 || period <= 0 ? Double.MAX_VALUE : (double) quota / period;
    }

    private static int number(Path file, int otherwise) {
        return text(file).map(Integer::parseInt).orElse(otherwise);
    }

    private static Optional<String> text(Path file) {
        @Nullable String text;
        try {
            text = Files.readString(file).strip();
        } catch (IOException e) {
            text = null;
        }
        return text == null || text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
