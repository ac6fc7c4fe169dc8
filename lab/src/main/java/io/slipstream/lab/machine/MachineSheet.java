package io.slipstream.lab.machine;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the machine is, as far as its kernel tells. Unknown text is {@code "unknown"}, unknown numbers are 0.
 *
 * @param siblings processors that share a core, as lists such as {@code "0,4"}, one for each core
 * @param load processors' worth of time that other processes used just before the lab began
 * @param usableCpus how many processors the lab may use; in a container fewer than there are
 * @param usableCores how many cores these lie on
 * @param disks the file systems that the lab touches, in words
 * @param filesInMemory whether the directory for files is in memory, so that nothing is said about a disk
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
        int usableCpus,
        int usableCores,
        List<String> disks,
        boolean filesInMemory,
        String counters,
        List<String> jvms,
        List<String> warnings) {

    /** More than this of one processor used elsewhere, and something else is running. */
    private static final double BUSY_CPUS = 0.15;

    /** A data or unified cache, as one processor sees it. */
    public record Cache(int level, long sizeBytes, int lineBytes, String sharedBy) {}

    /**
     * Reads the description of this machine.
     *
     * @param jvms the JVMs that are compared, by name
     * @param scratch where experiments put their files
     * @param load what others use of the processors now
     */
    public static MachineSheet read(List<String> jvms, Path scratch, double load) {
        return read(Path.of("/"), Runtime.getRuntime().availableProcessors(), jvms, scratch, load);
    }

    /**
     * Reads a machine's own description.
     *
     * @param root where {@code proc} and {@code sys} are found
     * @param usableCpus what a JVM may use of it
     */
    static MachineSheet read(Path root, int usableCpus, List<String> jvms, Path scratch, double load) {
        Kernel kernel = new Kernel(root);
        String directory = scratch.toAbsolutePath().normalize().toString();
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
                load,
                usableCpus,
                Math.min(usableCpus, Processors.read(root).cores()),
                List.of(kernel.disk(directory), kernel.disk("/dev/shm")),
                kernel.isInMemory(directory),
                PerfCounters.available(),
                jvms,
                List.of());
        return sheet.with(jvms, warningsOf(sheet), sheet.disks);
    }

    /**
     * The first of several directories that can be written to and is not in memory; where all are in memory, the first
     * that can be written to.
     */
    public static Path onDisk(List<Path> directories) {
        return onDisk(new Kernel(Path.of("/")), directories);
    }

    static Path onDisk(Kernel kernel, List<Path> directories) {
        List<Path> writable = directories.stream()
                .filter(Files::isDirectory)
                .filter(Files::isWritable)
                .toList();
        return writable.stream()
                .filter(d -> !kernel.isInMemory(d.toAbsolutePath().normalize().toString()))
                .findFirst()
                .orElseGet(() -> writable.isEmpty() ? directories.get(0) : writable.get(0));
    }

    /** Whether the kernel gives transparent huge pages to those who ask. */
    public static boolean hasHugePages() {
        return List.of("always", "madvise").contains(new Kernel(Path.of("/")).hugePages());
    }

    /** The same machine with other JVMs. */
    public MachineSheet withJvms(List<String> others) {
        return with(others, warnings, disks);
    }

    /** The same machine, its file systems without the directories in which they were met. */
    public MachineSheet withoutDirectories() {
        return with(
                jvms,
                warnings,
                disks.stream().map(disk -> disk.replaceFirst("^.*?: ", "")).toList());
    }

    /** Whether it is known to be a guest of a hypervisor. */
    public boolean isVirtual() {
        return !hypervisor.equals("none") && !hypervisor.equals(Kernel.UNKNOWN);
    }

    /** Whether {@code perf} can count what the processors do. */
    public boolean hasCounters() {
        return counters.equals(PerfCounters.AVAILABLE);
    }

    /** Whether something else was running when the lab began. */
    public boolean isLoaded() {
        return load > BUSY_CPUS;
    }

    /** Whether the clock's frequency may change while something is measured. */
    public boolean hasChangingClock() {
        return !governor.equals("performance") && !governor.equals(Kernel.UNKNOWN);
    }

    private MachineSheet with(List<String> others, List<String> found, List<String> fileSystems) {
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
                usableCpus,
                usableCores,
                fileSystems,
                filesInMemory,
                counters,
                others,
                found);
    }

    /** What a careful reader of figures from this machine must know. */
    static List<String> warningsOf(MachineSheet sheet) {
        List<String> found = new ArrayList<>();
        if (sheet.isVirtual()) {
            found.add("This is a virtual machine (" + sheet.hypervisor
                    + "): processors, caches and disks are shared with others we cannot see, "
                    + "and processor numbers need not be real ones.");
        }
        if (sheet.usableCpus <= 2) {
            found.add("Only " + sheet.usableCpus
                    + (sheet.usableCpus < sheet.cpus ? " of " + sheet.cpus : "")
                    + " processors may be used: two busy threads leave nothing for the kernel, the compiler and the"
                    + " collector, "
                    + "and claims about many processors cannot be told.");
        }
        if (sheet.isLoaded()) {
            found.add("Others used " + Math.round(100 * sheet.load)
                    + " % of a processor when the lab began: something else is running.");
        }
        if (sheet.hasChangingClock()) {
            found.add("The frequency governor is '" + sheet.governor
                    + "', not 'performance': short rounds may run at a lower clock.");
        }
        if (sheet.governor.equals(Kernel.UNKNOWN)) {
            found.add("The clock's frequency cannot be seen or set from here.");
        }
        if (sheet.siblings.size() < sheet.cpus && !sheet.siblings.isEmpty()) {
            found.add("Processors share cores (SMT): two busy threads on one core get less than one core each; the lab"
                    + " uses one processor of each core before it uses a second one.");
        }
        if (sheet.filesInMemory) {
            found.add("The directory for files is in memory, so that experiments about a disk are left out; name one on"
                    + " a disk with --scratch.");
        }
        return found;
    }
}
