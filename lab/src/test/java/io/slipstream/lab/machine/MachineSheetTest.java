package io.slipstream.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineSheetTest {
    @TempDir
    private Path root;

    @Test
    void readsAServerWithTwoSocketsAndSiblings() throws IOException {
        write("proc/cpuinfo", "processor: 0\nmodel name\t: Made-up 9000\nflags\t\t: fpu sse2\n");
        write("proc/meminfo", "MemTotal:       16777216 kB\n");
        write("proc/sys/kernel/osrelease", "6.1.0\n");
        write("proc/mounts", "/dev/nvme0n1p2 / ext4 rw 0 0\ntmpfs /dev/shm tmpfs rw 0 0\n");
        write("sys/block/nvme0n1/queue/rotational", "0\n");
        write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
        write("sys/devices/system/cpu/vulnerabilities/meltdown", "Mitigation: PTI\n");
        write("sys/devices/system/cpu/vulnerabilities/l1tf", "Not affected\n");
        write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
        for (int cpu = 0; cpu < 8; cpu++) {
            write(
                    "sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list",
                    cpu % 4 + "," + (cpu % 4 + 4) + "\n");
            write("sys/devices/system/cpu/cpu" + cpu + "/topology/physical_package_id", cpu % 2 + "\n");
        }
        write("sys/devices/system/node/node0/x", "");
        write("sys/devices/system/node/node1/x", "");
        write("sys/devices/system/cpu/cpu0/cache/index0/type", "Data\n");
        write("sys/devices/system/cpu/cpu0/cache/index0/level", "1\n");
        write("sys/devices/system/cpu/cpu0/cache/index0/size", "48K\n");
        write("sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size", "64\n");
        write("sys/devices/system/cpu/cpu0/cache/index1/type", "Instruction\n");

        MachineSheet sheet = MachineSheet.read(root, 8, List.of("JDK 25"), Path.of("/tmp"), 0.1);

        assertThat(sheet.cpu()).isEqualTo("Made-up 9000");
        assertThat(sheet.cpus()).isEqualTo(8);
        assertThat(sheet.cores()).isEqualTo(4);
        assertThat(sheet.sockets()).isEqualTo(2);
        assertThat(sheet.numaNodes()).isEqualTo(2);
        assertThat(sheet.memoryBytes()).isEqualTo(16L << 30);
        assertThat(sheet.hypervisor()).isEqualTo("none");
        assertThat(sheet.hugePages()).isEqualTo("madvise");
        assertThat(sheet.mitigations()).containsExactly("meltdown: Mitigation: PTI");
        assertThat(sheet.caches()).containsExactly(new MachineSheet.Cache(1, 48 << 10, 64, "unknown"));
        assertThat(sheet.disks()).containsExactly("/tmp: ext4 on nvme0n1p2 (solid state)", "/dev/shm: tmpfs");
        assertThat(sheet.warnings()).singleElement().asString().contains("SMT");
    }

    @Test
    void warnsOfASmallVirtualMachineUnderLoad() throws IOException {
        write("proc/cpuinfo", "flags\t\t: fpu hypervisor\n");
        write("sys/devices/system/cpu/cpu0/topology/x", "");
        write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");

        List<String> warnings =
                MachineSheet.read(root, 1, List.of(), Path.of("/tmp"), 0.3).warnings();

        assertThat(warnings)
                .anyMatch(w -> w.contains("virtual machine"))
                .anyMatch(w -> w.contains("Only 1"))
                .anyMatch(w -> w.contains("Others used 30 % of a processor"))
                .anyMatch(w -> w.contains("powersave"));
    }

    @Test
    void warnsThatAContainerMayUseFewOfManyProcessors() throws IOException {
        for (int cpu = 0; cpu < 64; cpu++) {
            write("sys/devices/system/cpu/cpu" + cpu + "/topology/physical_package_id", "0\n");
        }
        write("proc/self/status", "Cpus_allowed_list:\t2-3\n");
        MachineSheet sheet = MachineSheet.read(root, 2, List.of(), Path.of("/tmp"), 0.1);
        assertThat(sheet.cpus()).isEqualTo(64);
        assertThat(sheet.usableCpus()).isEqualTo(2);
        assertThat(sheet.warnings()).anyMatch(w -> w.startsWith("Only 2 of 64 processors may be used"));
    }

    @Test
    void knowsADirectoryInMemoryAndPrefersOneOnADisk() throws IOException {
        Path memory = Files.createDirectory(root.resolve("tmp"));
        Path nested = Files.createDirectory(memory.resolve("disk"));
        Path disk = Files.createDirectory(root.resolve("home"));
        write(
                "proc/mounts",
                "/dev/vda / ext4 rw 0 0\ntmpfs " + memory + " tmpfs rw 0 0\n/dev/vdb " + nested + " xfs rw 0 0\n");
        Kernel kernel = new Kernel(root);

        assertThat(kernel.isInMemory(memory.resolve("x").toString())).isTrue();
        assertThat(kernel.isInMemory(nested.toString())).isFalse();
        assertThat(kernel.isInMemory(memory + "-not")).isFalse();
        assertThat(MachineSheet.onDisk(kernel, List.of(memory, root.resolve("none"), disk)))
                .isEqualTo(disk);
        assertThat(MachineSheet.onDisk(kernel, List.of(memory))).isEqualTo(memory);
        MachineSheet sheet = MachineSheet.read(root, 4, List.of(), memory, 0);
        assertThat(sheet.filesInMemory()).isTrue();
        assertThat(sheet.warnings()).anyMatch(w -> w.contains("--scratch"));
    }

    @Test
    void knowsVirtualMachinesOfProcessorsThatDoNotTell() throws IOException {
        write("proc/cpuinfo", "processor: 0\nCPU part\t: 0xd40\n");
        assertThat(new Kernel(root).hypervisor()).isEqualTo("unknown");
        write("sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
        write("sys/class/dmi/id/product_name", "c7g.xlarge\n");
        assertThat(new Kernel(root).hypervisor()).isEqualTo("Amazon EC2 c7g.xlarge");
        write("sys/class/dmi/id/product_name", "c7g.metal\n");
        assertThat(new Kernel(root).hypervisor()).isEqualTo("none");
        write("sys/class/dmi/id/sys_vendor", "Supermicro\n");
        write("sys/class/dmi/id/product_name", "ARS-110M\n");
        assertThat(new Kernel(root).hypervisor()).isEqualTo("none");
        write("proc/device-tree/hypervisor/compatible", "linux,kvm\n");
        assertThat(new Kernel(root).hypervisor()).isEqualTo("Supermicro ARS-110M");
    }

    @Test
    void anEmptyMachineIsUnknownAndNoError() {
        assertThat(MachineSheet.read(root, 1, List.of(), Path.of("/tmp"), 0.1).cpu())
                .isEqualTo("unknown");
    }

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
