package io.slipstream.lab.run;

import io.slipstream.lab.Case;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Form;
import io.slipstream.lab.Needs;
import io.slipstream.lab.Plan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The most that any case of some experiments needs; cases run one after the other, so it is never more at a time.
 *
 * @param memoryBytes the memory of the case that needs most of it
 * @param roomBytes room by directory, of the case that needs most of it there
 */
public record Demand(long memoryBytes, Map<Path, Long> roomBytes) {

    /**
     * That of experiments in a form.
     *
     * @param disk where files will be
     */
    public static Demand of(List<Experiment> experiments, Form form, Path disk) {
        @Nullable Path memory = Files.isWritable(Runner.SHARED_MEMORY) ? Runner.SHARED_MEMORY : null;
        long mostMemory = 0;
        Map<Path, Long> mostRoom = new TreeMap<>();
        for (Experiment experiment : experiments) {
            Plan plan = new Plan(form, Runtime.getRuntime().availableProcessors(), disk, memory);
            experiment.plan(plan);
            for (Case planned : plan.cases()) {
                mostMemory = Math.max(mostMemory, planned.needs().memoryBytes());
                planned.needs().rooms().forEach((directory, bytes) -> mostRoom.merge(directory, bytes, Math::max));
            }
        }
        return new Demand(mostMemory, mostRoom);
    }

    /** In words that stand after "up to"; empty when nothing to speak of is needed. */
    public String words() {
        return Needs.words(memoryBytes, roomBytes);
    }
}
