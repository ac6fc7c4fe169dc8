package io.slipstream.core.affinity;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the files in which Linux describes a machine. */
final class FakeMachine {
    private final Path root;

    FakeMachine(Path root) {
        this.root = root;
    }

    /** Two sockets of two cores of two hyper-threads, numbered as Linux usually does: siblings lie four apart. */
    static FakeMachine twoSockets(Path root) {
        FakeMachine machine = new FakeMachine(root);
        machine.write("sys/devices/system/cpu/online", "0-7");
        machine.write("sys/devices/system/cpu/isolated", "3,7");
        machine.write("sys/devices/system/node/online", "0-1");
        machine.write("sys/devices/system/node/node0/cpulist", "0-1,4-5");
        machine.write("sys/devices/system/node/node1/cpulist", "2-3,6-7");
        machine.write("proc/self/status", "Name:\tjava\nCpus_allowed:\tff\nCpus_allowed_list:\t1-7\n");
        for (int cpu = 0; cpu < 8; cpu++) {
            int core = cpu % 4;
            String folder = "sys/devices/system/cpu/cpu" + cpu + "/";
            String siblings = core + "," + (core + 4);
            String socket = core < 2 ? "0-1,4-5" : "2-3,6-7";
            machine.write(folder + "topology/physical_package_id", core < 2 ? "0" : "1");
            machine.write(folder + "topology/core_id", String.valueOf(core % 2));
            machine.write(folder + "topology/thread_siblings_list", siblings);
            machine.cache(folder + "cache/index0/", "1", "Data", "48K", siblings);
            machine.cache(folder + "cache/index1/", "1", "Instruction", "32K", siblings);
            machine.cache(folder + "cache/index2/", "2", "Unified", "2048K", siblings);
            machine.cache(folder + "cache/index3/", "3", "Unified", "32768K", socket);
        }
        return machine;
    }

    private void cache(String folder, String level, String type, String size, String shared) {
        write(folder + "level", level);
        write(folder + "type", type);
        write(folder + "size", size);
        write(folder + "coherency_line_size", "64");
        write(folder + "shared_cpu_list", shared);
    }

    FakeMachine write(String file, String text) {
        try {
            Path path = root.resolve(file);
            Files.createDirectories(path.getParent());
            Files.writeString(path, text + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    Topology read() {
        return new TopologyReader(root).read();
    }
}
