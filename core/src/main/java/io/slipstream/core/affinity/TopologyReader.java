package io.slipstream.core.affinity;

import org.jspecify.annotations.Nullable;

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
        CpuSet allowed = allowed(online);
        CpuSet isolated = CpuSet.parse(text(cpuFolder.resolve("isolated")).orElse(""));
        Map<Integer, Integer> nodes = nodes();
        Map<CpuSet, Integer> cores = new HashMap<>();
        List<Cpu> cpus = new ArrayList<>();
        online.stream().forEach(number -> {
            Path folder = cpuFolder.resolve("cpu" + number + "/topology");
            CpuSet siblings = text(folder.resolve("thread_siblings_list")).map(CpuSet::parse).orElse(CpuSet.of(number));
            cpus.add(new Cpu(number, Math.max(0, number(folder.resolve("physical_package_id"), 0)),
                    cores.computeIfAbsent(siblings, key -> cores.size()), nodes.getOrDefault(number, 0), siblings,
                    allowed.contains(number), isolated.contains(number)));
        });
        boolean smt = cpus.stream().anyMatch(cpu -> cpu.siblings().size() > 1);
        return new Topology(cpus, caches(online), allowed, quota(), smt, cpuFolder.toString());
    }

    /** Where nothing is known: as many CPUs as the JVM counts, none of which shares a core. */
    private static Topology fallback(String reason) {
        int count = Runtime.getRuntime().availableProcessors();
        CpuSet all = CpuSet.of(IntStream.range(0, count).toArray());
        List<Cpu> cpus = all.stream()
                .mapToObj(number -> new Cpu(number, 0, number, 0, CpuSet.of(number), true, false)).toList();
        return new Topology(cpus, List.of(), all, OptionalDouble.empty(), false, "the JVM; " + reason);
    }

    private CpuSet allowed(CpuSet online) {
        CpuSet allowed = statusLine("Cpus_allowed_list:").map(CpuSet::parse).orElse(online).and(online);
        return allowed.isEmpty() ? online : allowed;
    }

    private Optional<String> statusLine(String name) {
        return text(root.resolve("proc/self/status")).stream().flatMap(String::lines)
                .filter(line -> line.startsWith(name)).map(line -> line.substring(name.length()).strip()).findFirst();
    }

    private Map<Integer, Integer> nodes() {
        Map<Integer, Integer> nodes = new HashMap<>();
        Path folder = root.resolve("sys/devices/system/node");
        CpuSet.parse(text(folder.resolve("online")).orElse("")).stream().forEach(node ->
                CpuSet.parse(text(folder.resolve("node" + node + "/cpulist")).orElse("")).stream()
                        .forEach(cpu -> nodes.put(cpu, node)));
        return nodes;
    }

    private List<Cache> caches(CpuSet online) {
        Map<String, Cache> caches = new LinkedHashMap<>();
        online.stream().forEach(number -> {
            try (Stream<Path> folders = Files.list(cpuFolder.resolve("cpu" + number + "/cache"))) {
                folders.filter(folder -> folder.getFileName().toString().startsWith("index")).sorted()
                        .map(this::cache).flatMap(Optional::stream)
                        .forEach(cache -> caches.putIfAbsent(cache.level() + " " + cache.type() + " " + cache.sharedBy(), cache));
            } catch (IOException e) {
                // Some virtual machines do not show their caches.
            }
        });
        return caches.values().stream().sorted(Comparator.comparingInt(Cache::level).thenComparing(Cache::type)).toList();
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
        return Optional.of(new Cache(number(folder.resolve("level"), 0), type, bytes(size.get()),
                number(folder.resolve("coherency_line_size"), 64), CpuSet.parse(shared.get())));
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
        double least = Double.MAX_VALUE;
        for (String line : text(root.resolve("proc/self/cgroup")).stream().flatMap(String::lines).toList()) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty()) {
                least = Math.min(least, leastUpward(root.resolve("sys/fs/cgroup"), parts[2], TopologyReader::quotaOfVersion2));
            } else if (parts.length == 3 && List.of(parts[1].split(",")).contains("cpu")) {
                least = Math.min(least, leastUpward(root.resolve("sys/fs/cgroup/cpu"), parts[2], TopologyReader::quotaOfVersion1));
            }
        }
        return least == Double.MAX_VALUE ? OptionalDouble.empty() : OptionalDouble.of(least);
    }

    /** The quota of one folder, in CPUs. */
    private interface Quota {
        double of(Path folder);
    }

    /** A process in a container may see its group's path as of the host, while the mount shows the group itself as its top. */
    private static double leastUpward(Path mount, String group, Quota quota) {
        double least = quota.of(mount);
        Path folder = mount.resolve(group.substring(Math.min(1, group.length()))).normalize();
        while (folder != null && folder.startsWith(mount) && !folder.equals(mount)) {
            least = Math.min(least, quota.of(folder));
            folder = folder.getParent();
        }
        return least;
    }

    private static double quotaOfVersion2(Path folder) {
        String[] parts = text(folder.resolve("cpu.max")).orElse("max").split(" ");
        return parts.length != 2 || parts[0].equals("max") ? Double.MAX_VALUE
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
