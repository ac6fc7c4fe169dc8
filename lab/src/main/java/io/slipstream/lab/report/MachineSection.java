package io.slipstream.lab.report;

import io.slipstream.lab.Figure;
import io.slipstream.lab.machine.MachineSheet;
import io.slipstream.lab.run.Jvm;
import java.util.List;
import java.util.stream.Collectors;

/** The machine sheet: what a figure cannot be read without. */
final class MachineSection {
    private MachineSection() {}

    static void add(Html page, MachineSheet machine) {
        page.raw("<section id=\"machine\">\n<h2>The machine</h2>\n");
        for (String warning : machine.warnings()) {
            page.element("p class=\"warn\"", warning);
        }
        page.raw("<div class=\"scroll\"><table class=\"sheet\">\n");
        page.row(List.of("Processor", machine.cpu()));
        page.row(List.of(
                "Topology",
                machine.cpus() + " processors on " + machine.cores() + " cores, " + machine.sockets() + " socket(s), "
                        + machine.numaNodes() + " NUMA node(s)"
                        + (machine.usableCpus() < machine.cpus()
                                ? "; the lab may use " + machine.usableCpus() + " processors"
                                : "")));
        page.row(List.of(
                "Caches",
                machine.caches().stream()
                        .map(c -> "L" + c.level() + " " + Figure.bytes(c.sizeBytes()) + " (lines of " + c.lineBytes()
                                + " B, processors " + c.sharedBy() + ")")
                        .collect(Collectors.joining(", "))));
        page.row(List.of(
                "Memory", Figure.bytes(machine.memoryBytes()) + "; transparent huge pages: " + machine.hugePages()));
        page.row(List.of("Hypervisor", machine.hypervisor()));
        page.row(List.of("Governor", machine.governor()));
        page.row(List.of("Hardware counters", machine.counters()));
        page.row(List.of("Kernel", machine.kernel()));
        page.row(List.of("At the start", "others used " + Figure.show(100 * machine.load()) + " % of a processor"));
        page.row(List.of("File systems", String.join("; ", machine.disks())));
        page.row(List.of("JVMs", String.join(", ", machine.jvms())));
        page.row(List.of(
                "Heap and collector",
                String.join(" ", Jvm.FLAGS) + ", unless an experiment needs others; each states its flags"));
        page.row(List.of(
                "Mitigations",
                machine.mitigations().isEmpty() ? "none active" : String.join("; ", machine.mitigations())));
        page.raw("</table></div>\n</section>\n");
    }
}
