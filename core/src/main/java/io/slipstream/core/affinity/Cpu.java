package io.slipstream.core.affinity;

/**
 * One CPU, as the operating system counts them: a hyper-thread of a core of a socket.
 *
 * @param number   the system's number of it
 * @param socket   the physical package
 * @param core     the core, numbered over the whole machine; CPUs with the same one are siblings and share its units
 *                 and first caches
 * @param node     the NUMA node, whose memory is the nearest
 * @param siblings all CPUs of its core, itself included
 * @param allowed  whether threads of this process may run on it
 * @param isolated whether the scheduler puts nothing there by itself ({@code isolcpus})
 */
public record Cpu(int number, int socket, int core, int node, CpuSet siblings, boolean allowed, boolean isolated) {}
