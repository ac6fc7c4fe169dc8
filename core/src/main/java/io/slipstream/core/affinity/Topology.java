package io.slipstream.core.affinity;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the machine is made of, and which part of it this process may use.
 *
 * @param cpus    those that are online, by number; never empty
 * @param caches  those of the CPUs, by level
 * @param allowed the CPUs on which threads of this process may run, after {@code taskset} and control groups; on
 *                isolated ones mostly only those that are pinned to them
 * @param quota   how many CPUs' time the control group grants, if it limits that: 1.5 means that more than one and a
 *                half busy threads will be halted from time to time
 * @param smt     whether cores run several hyper-threads
 * @param origin  where this was read, or why it could not be
 */
public record Topology(
        List<Cpu> cpus, List<Cache> caches, CpuSet allowed, OptionalDouble quota, boolean smt, String origin) {
    /** Copies the lists. */
    public Topology {
        cpus = List.copyOf(cpus);
        caches = List.copyOf(caches);
    }

    /**
     * Reads the machine; where the system does not tell, the CPUs that the JVM counts stand side by side on one socket.
     */
    public static Topology read() {
        return new TopologyReader(Path.of("/")).read();
    }

    /** Returns the CPU of that number, if it is online. */
    public Optional<Cpu> cpu(int number) {
        return cpus.stream().filter(cpu -> cpu.number() == number).findFirst();
    }

    /** Returns the number of sockets. */
    public int sockets() {
        return (int) cpus.stream().map(Cpu::socket).distinct().count();
    }

    /** Returns the number of cores. */
    public int cores() {
        return (int) cpus.stream().map(Cpu::core).distinct().count();
    }

    /** Returns the number of NUMA nodes. */
    public int nodes() {
        return (int) cpus.stream().map(Cpu::node).distinct().count();
    }

    /**
     * Returns how many threads can be busy all the time without taking the processor from each other: the allowed CPUs,
     * or what the quota grants if that is less; at least 1.
     */
    public int busyThreads() {
        return (int) Math.max(1, Math.min(allowed.size(), quota.orElse(Double.MAX_VALUE)));
    }
}
