package io.slipstream.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessorsTest {
    @TempDir
    private Path root;

    @Test
    void takesOneProcessorOfEachCoreBeforeASecondOne() throws IOException {
        allow("0-3");
        cpu(0, "0-1", "0-3");
        cpu(1, "0-1", "0-3");
        cpu(2, "2-3", "0-3");
        cpu(3, "2-3", "0-3");

        Processors processors = Processors.read(root);

        assertThat(processors.order()).containsExactly(0, 2, 1, 3);
        assertThat(processors.cores()).isEqualTo(2);
    }

    @Test
    void usesWhatTheContainerMayUseAndNothingElse() throws IOException {
        allow("2-3,6");
        cpu(2, "2,6", "2-3,6-7");
        cpu(3, "3,7", "2-3,6-7");
        cpu(6, "2,6", "2-3,6-7");

        assertThat(Processors.read(root)).isEqualTo(new Processors(List.of(2, 3, 6), 2));
    }

    @Test
    void neighboursInTheLargestCacheComeFirst() throws IOException {
        allow("0,4-6");
        cpu(0, "0", "0-3");
        cpu(4, "4", "4-7");
        cpu(5, "5", "4-7");
        cpu(6, "6", "4-7");

        assertThat(Processors.read(root).order()).containsExactly(4, 5, 6, 0);
    }

    @Test
    void withoutAnyDescriptionEveryProcessorIsACoreOfItsOwn() {
        int cpus = Runtime.getRuntime().availableProcessors();
        assertThat(Processors.read(root).order()).hasSize(cpus).startsWith(0).isSorted();
        assertThat(Processors.read(root).cores()).isEqualTo(cpus);
    }

    @Test
    void readsTheKernelsListsAndNothingElse() {
        assertThat(CpuList.parse("0-2,5,8-9")).containsExactly(0, 1, 2, 5, 8, 9);
        assertThat(CpuList.parse("unknown")).isEmpty();
        assertThat(CpuList.parse("")).isEmpty();
    }

    private void allow(String cpus) throws IOException {
        write("proc/self/status", "Name:\tjava\nCpus_allowed_list:\t" + cpus + "\n");
    }

    private void cpu(int number, String siblings, String sharers) throws IOException {
        String directory = "sys/devices/system/cpu/cpu" + number;
        write(directory + "/topology/thread_siblings_list", siblings + "\n");
        write(directory + "/cache/index0/level", "1\n");
        write(directory + "/cache/index0/shared_cpu_list", siblings + "\n");
        write(directory + "/cache/index3/level", "3\n");
        write(directory + "/cache/index3/shared_cpu_list", sharers + "\n");
    }

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
