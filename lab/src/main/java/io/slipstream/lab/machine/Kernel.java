package io.slipstream.lab.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads {@code /proc} and {@code /sys}. What is not there is unknown, never an error. */
final class Kernel {
    static final String UNKNOWN = "unknown";

    private static final List<String> IN_MEMORY = List.of("tmpfs", "ramfs");

    /** What the firmware of a virtual machine calls itself. */
    private static final Pattern VIRTUAL = Pattern.compile(
            "(?i).*(kvm|qemu|vmware|virtualbox|xen|hyper-?v|virtual machine|bhyve|parallels|amazon ec2|google compute"
                    + "|openstack|droplet|hvm domu|firecracker|cloud).*");

    private final Path root;

    Kernel(Path root) {
        this.root = root;
    }

    String cpuModel() {
        String model = field("proc/cpuinfo", "model name");
        return model.equals(UNKNOWN) ? field("proc/cpuinfo", "CPU part") : model;
    }

    int cpus() {
        List<Path> found = cpuDirectories();
        return found.isEmpty() ? Runtime.getRuntime().availableProcessors() : found.size();
    }

    List<String> siblings() {
        TreeSet<String> cores = new TreeSet<>();
        for (Path cpu : cpuDirectories()) {
            String shared = text(cpu.resolve("topology/thread_siblings_list"));
            if (!shared.equals(UNKNOWN)) {
                cores.add(shared);
            }
        }
        return List.copyOf(cores);
    }

    /** The processors that this process may use; none where the kernel does not tell. */
    List<Integer> allowedCpus() {
        return CpuList.parse(field("proc/self/status", "Cpus_allowed_list"));
    }

    /** The first of the processors that share a core with this one; itself where that is unknown. */
    int firstSibling(int cpu) {
        List<Integer> core = CpuList.parse(text(directory(cpu).resolve("topology/thread_siblings_list")));
        return core.isEmpty() ? cpu : core.get(0);
    }

    /** The first of the processors that share the last cache with this one; -1 where that is unknown. */
    int firstOfLastCache(int cpu) {
        int last = 0;
        int first = -1;
        for (Path index : list("sys/devices/system/cpu/cpu" + cpu + "/cache", "index[0-9]+")) {
            List<Integer> sharedBy = CpuList.parse(text(index.resolve("shared_cpu_list")));
            int level = number(text(index.resolve("level")));
            if (level > last && !sharedBy.isEmpty()) {
                last = level;
                first = sharedBy.get(0);
            }
        }
        return first;
    }

    private Path directory(int cpu) {
        return root.resolve("sys/devices/system/cpu/cpu" + cpu);
    }

    int sockets() {
        return Math.max(1, (int) cpuDirectories().stream()
                .map(c -> text(c.resolve("topology/physical_package_id")))
                .distinct()
                .count());
    }

    int numaNodes() {
        return Math.max(1, list("sys/devices/system/node", "node[0-9]+").size());
    }

    List<MachineSheet.Cache> caches() {
        List<MachineSheet.Cache> caches = new ArrayList<>();
        for (Path index : list("sys/devices/system/cpu/cpu0/cache", "index[0-9]+")) {
            if (!text(index.resolve("type")).equals("Instruction")) {
                caches.add(new MachineSheet.Cache(
                        number(text(index.resolve("level"))),
                        bytes(text(index.resolve("size"))),
                        number(text(index.resolve("coherency_line_size"))),
                        text(index.resolve("shared_cpu_list"))));
            }
        }
        return caches;
    }

    long memoryBytes() {
        return bytes(field("proc/meminfo", "MemTotal").replace(" kB", "K"));
    }

    /**
     * The hypervisor in words, "none", or "unknown". Processors of x86 tell whether there is one; of others, what the
     * firmware or the device tree says.
     */
    String hypervisor() {
        String flags = field("proc/cpuinfo", "flags");
        String vendor = text(root.resolve("sys/class/dmi/id/sys_vendor"));
        String product = text(root.resolve("sys/class/dmi/id/product_name"));
        String name = Stream.of(vendor, product)
                .filter(part -> !part.equals(UNKNOWN))
                .distinct()
                .collect(Collectors.joining(" "));
        boolean toldByTree = Files.exists(root.resolve("proc/device-tree/hypervisor"))
                || Files.exists(root.resolve("sys/hypervisor/type"));
        boolean known = !flags.equals(UNKNOWN);
        if ((" " + flags + " ").contains(" hypervisor ")
                || toldByTree
                || !known && VIRTUAL.matcher(name).matches() && !product.endsWith(".metal")) {
            return name.isEmpty() ? "of a kind it does not tell" : name;
        }
        return known || !name.isEmpty() ? "none" : UNKNOWN;
    }

    String governor() {
        return text(root.resolve("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
    }

    String hugePages() {
        Matcher chosen =
                Pattern.compile("\\[(.*)]").matcher(text(root.resolve("sys/kernel/mm/transparent_hugepage/enabled")));
        return chosen.find() ? chosen.group(1) : UNKNOWN;
    }

    List<String> mitigations() {
        List<String> active = new ArrayList<>();
        for (Path flaw : list("sys/devices/system/cpu/vulnerabilities", ".*")) {
            String state = text(flaw);
            if (!state.equals("Not affected") && !state.equals(UNKNOWN)) {
                active.add(flaw.getFileName() + ": " + state);
            }
        }
        return active;
    }

    String version() {
        return text(root.resolve("proc/sys/kernel/osrelease"));
    }

    /** The file system of a directory: {@code "/tmp: ext4 on vda (spinning)"}. */
    String disk(String directory) {
        String[] mount = mount(directory);
        if (mount.length == 0) {
            return directory + ": " + UNKNOWN;
        }
        String device = mount[0].startsWith("/dev/") ? mount[0].substring(5) : "";
        String spins = text(root.resolve("sys/block/" + whole(device) + "/queue/rotational"));
        String kind = spins.equals("0") ? " (solid state)" : spins.equals("1") ? " (says it spins)" : "";
        return directory + ": " + mount[2] + (device.isEmpty() ? "" : " on " + device + kind);
    }

    /** Whether what is written to a directory goes to memory. */
    boolean isInMemory(String directory) {
        String[] mount = mount(directory);
        return mount.length > 0 && IN_MEMORY.contains(mount[2]);
    }

    /** The line of the innermost mount that holds a directory: device, place, type; empty where that is unknown. */
    private String[] mount(String directory) {
        String[] innermost = {};
        for (String line : lines(root.resolve("proc/mounts"))) {
            String[] part = line.split(" ", -1);
            boolean holds = part.length > 2
                    && (part[1].equals("/") || directory.equals(part[1]) || directory.startsWith(part[1] + "/"));
            if (holds && (innermost.length == 0 || part[1].length() >= innermost[1].length())) {
                innermost = part;
            }
        }
        return innermost;
    }

    /** The device of a partition: {@code nvme0n1} of {@code nvme0n1p2}, {@code sda} of {@code sda1}. */
    private String whole(String device) {
        return Files.exists(root.resolve("sys/block/" + device))
                ? device
                : device.replaceFirst("^(.*[0-9])p[0-9]+$", "$1").replaceFirst("^([a-z]+)[0-9]+$", "$1");
    }

    private List<Path> cpuDirectories() {
        return list("sys/devices/system/cpu", "cpu[0-9]+").stream()
                .filter(c -> Files.exists(c.resolve("topology")))
                .toList();
    }

    private List<Path> list(String directory, String names) {
        try (Stream<Path> files = Files.list(root.resolve(directory))) {
            return files.filter(f -> f.getFileName().toString().matches(names))
                    .sorted()
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    private String field(String file, String name) {
        for (String line : lines(root.resolve(file))) {
            if (line.startsWith(name)) {
                return line.substring(line.indexOf(':') + 1).trim();
            }
        }
        return UNKNOWN;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    private static String text(Path file) {
        List<String> lines = lines(file);
        return lines.isEmpty() ? UNKNOWN : lines.get(0).trim();
    }

    private static int number(String text) {
        return text.matches("[0-9]+") ? Integer.parseInt(text) : 0;
    }

    private static long bytes(String text) {
        Matcher size = Pattern.compile("([0-9]+)([KMG]?)").matcher(text);
        if (!size.matches()) {
            return 0;
        }
        int shift = "KMG".indexOf(size.group(2).isEmpty() ? "?" : size.group(2)) + 1;
        return Long.parseLong(size.group(1)) << (10 * shift);
    }
}
