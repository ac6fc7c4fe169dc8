package io.slipstream.cli;

import io.slipstream.core.affinity.Cache;
import io.slipstream.core.affinity.Cpu;
import io.slipstream.core.affinity.Topology;
import io.slipstream.core.memory.CacheLine;
import io.slipstream.core.memory.Pages;
import io.slipstream.data.annotation.Optional;
import io.slipstream.data.json.Json;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The machine for programs: what {@code topology --json} prints. What the system does not tell is left out.
 *
 * @param allowed     the CPUs that this process may use, as the kernel writes them: 0-3,8
 * @param quota       of how many CPUs it gets the time, where a control group limits it
 * @param busyThreads how many threads can spin without taking the processor from each other
 */
public record TopologyReport(
        int sockets,
        int cores,
        int nodes,
        List<CpuReport> cpus,
        List<CacheReport> caches,
        String allowed,
        @Optional @Nullable Double quota,
        int busyThreads,
        @Optional @Nullable Long pageBytes,
        @Optional @Nullable Long hugePageBytes,
        @Optional @Nullable Long hugePagesFree,
        String transparentHugePages,
        @Optional @Nullable Integer cacheLineBytes) {
    private static final Json<TopologyReport> JSON = Json.of(TopologyReport.class);

    /** One CPU, as the kernel numbers it. */
    public record CpuReport(int number, int socket, int core, int node, boolean allowed, boolean isolated) {
        static CpuReport of(Cpu cpu) {
            return new CpuReport(cpu.number(), cpu.socket(), cpu.core(), cpu.node(), cpu.allowed(), cpu.isolated());
        }
    }

    /** One cache, and the CPUs that share it. */
    public record CacheReport(int level, String type, long bytes, int lineBytes, String sharedBy) {
        static CacheReport of(Cache cache) {
            return new CacheReport(
                    cache.level(),
                    cache.type().name(),
                    cache.bytes(),
                    cache.lineBytes(),
                    cache.sharedBy().toString());
        }
    }

    /** Returns what is known of this machine. */
    static TopologyReport ofThisMachine() {
        Topology topology = Topology.read();
        Pages pages = Pages.ofThisMachine();
        return new TopologyReport(
                topology.sockets(),
                topology.cores(),
                topology.nodes(),
                topology.cpus().stream().map(CpuReport::of).toList(),
                topology.caches().stream().map(CacheReport::of).toList(),
                topology.allowed().toString(),
                orNull(topology.quota()),
                topology.busyThreads(),
                orNull(pages.bytes()),
                orNull(pages.hugePageBytes()),
                orNull(pages.hugePagesFree()),
                pages.transparentHugePages(),
                orNull(CacheLine.bytesOfThisMachine()));
    }

    String json() {
        return JSON.write(this);
    }

    private static @Nullable Long orNull(OptionalLong value) {
        return value.isPresent() ? Long.valueOf(value.getAsLong()) : null;
    }

    private static @Nullable Integer orNull(OptionalInt value) {
        return value.isPresent() ? Integer.valueOf(value.getAsInt()) : null;
    }

    private static @Nullable Double orNull(OptionalDouble value) {
        return value.isPresent() ? Double.valueOf(value.getAsDouble()) : null;
    }
}
