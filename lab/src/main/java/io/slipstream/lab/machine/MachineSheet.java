package io.slipstream.lab.machine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the machine is, as far as its kernel tells. Unknown text is {@code "unknown"}, unknown numbers are 0.
 *
 * @param siblings processors that share a core, as lists such as {@code "0,4"}, one for each core
 * @param disks the file systems that the lab touches, in words
 * @param warnings what makes figures less trustworthy here
 */
public record MachineSheet(
        String cpu,
        int cpus,
        int cores,
        int sockets,
        int numaNodes,
        List<String> siblings,
        List<Cache> caches,
        long memoryBytes,
        String hypervisor,
        String governor,
        String hugePages,
        List<String> mitigations,
        String kernel,
        double load,
        List<String> disks,
        String counters,
        List<String> jvms,
        List<String> warnings) {

    /** A data or unified cache, as one processor sees it. */
    public record Cache(int level, long sizeBytes, int lineBytes, String sharedBy) {}

    /**
     * Reads the description of this machine.
     *
     * @param jvms the JVMs that are compared, by name
     * @param scratch where experiments put their files
     */
    public static MachineSheet read(List<String> jvms, Path scratch) {
        return read(Path.of("/"), jvms, scratch);
    }

    /**
     * Reads a machine's own description.
     *
     * @param root where {@code proc} and {@code sys} are found
     */
    static MachineSheet read(Path root, List<String> jvms, Path scratch) {
        Kernel kernel = new Kernel(root);
        List<String> siblings = kernel.siblings();
        int cpus = kernel.cpus();
        MachineSheet sheet = new MachineSheet(
                kernel.cpuModel(),
                cpus,
                siblings.isEmpty() ? cpus : siblings.size(),
                kernel.sockets(),
                kernel.numaNodes(),
                siblings,
                kernel.caches(),
                kernel.memoryBytes(),
                kernel.hypervisor(),
                kernel.governor(),
                kernel.hugePages(),
                kernel.mitigations(),
                kernel.version(),
                kernel.load(),
                List.of(kernel.disk(scratch.toAbsolutePath().normalize().toString()), kernel.disk("/dev/shm")),
                PerfCounters.available(),
                jvms,
                List.of());
        return sheet.with(jvms, warningsOf(sheet));
    }

    /** Whether the kernel gives transparent huge pages to those who ask. */
    public static boolean hasHugePages() {
        return List.of("always", "madvise").contains(new Kernel(Path.of("/")).hugePages());
    }

    /** The same machine with other JVMs. */
    public MachineSheet withJvms(List<String> others) {
        return with(others, warnings);
    }

    private MachineSheet with(List<String> others, List<String> found) {
        return new MachineSheet(
                cpu,
                cpus,
                cores,
                sockets,
                numaNodes,
                siblings,
                caches,
                memoryBytes,
                hypervisor,
                governor,
                hugePages,
                mitigations,
                kernel,
                load,
                disks,
                counters,
                others,
                found);
    }

    /** What a careful reader of figures from this machine must know. */
    static List<String> warningsOf(MachineSheet sheet) {
        List<String> found = new ArrayList<>();
        if (!sheet.hypervisor.equals("none")) {
            found.add("This is a virtual machine (" + sheet.hypervisor
                    + "): processors, caches and disks are shared with others we cannot see, "
                    + "and processor numbers need not be real ones.");
        }
        if (sheet.cpus <= 2) {
            found.add("Only " + sheet.cpus
                    + " processors: two busy threads leave nothing for the kernel, the compiler and the collector, "
                    + "and claims about many processors cannot be told.");
        }
        if (sheet.load > 0.5) {
            found.add("The load was " + sheet.load + " when the lab began: something else is running.");
        }
        if (!sheet.governor.equals("performance") && !sheet.governor.equals("unknown")) {
            found.add("The frequency governor is '" + sheet.governor
                    + "', not 'performance': short rounds may run at a lower clock.");
        }
        if (sheet.governor.equals("unknown")) {
            found.add("The clock's frequency cannot be seen or set from here.");
        }
        if (sheet.siblings.size() < sheet.cpus && !sheet.siblings.isEmpty()) {
            found.add("Processors share cores (SMT): two busy threads on one core get less than one core each.");
        }
        return found;
    }
}
