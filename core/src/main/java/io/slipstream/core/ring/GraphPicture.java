package io.slipstream.core.ring;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Draws a graph as text and in the Mermaid language. */
final class GraphPicture {
    private GraphPicture() {
    }

    static String text(Ring ring, List<StageSnapshot> stages) {
        StringBuilder text = new StringBuilder("ring: capacity %d, claimed %d, depth %d (%d %%)%s%n".formatted(
                ring.capacity(), ring.claimed(), ring.depth(), percent(ring),
                ring.failure() == null ? "" : ", FAILED: " + ring.failure()));
        int width = stages.stream().mapToInt(s -> s.name().length()).max().orElse(0);
        for (StageSnapshot stage : stages) {
            text.append("  %s ─▶ %s%s  at %d, lag %d%n".formatted(
                    stage.behind().isEmpty() ? "ring" : String.join(" + ", stage.behind()), stage.name(),
                    " ".repeat(width - stage.name().length()), stage.position(), stage.lag()));
        }
        return text.toString();
    }

    static String mermaid(Ring ring, List<StageSnapshot> stages) {
        StringBuilder text = new StringBuilder("graph LR%n  ring([ring<br/>depth %d of %d])%n".formatted(
                ring.depth(), ring.capacity()));
        Map<String, String> ids = new HashMap<>();
        for (StageSnapshot stage : stages) {
            String id = "s" + ids.size();
            ids.put(stage.name(), id);
            text.append("  %s[\"%s<br/>lag %d\"]%n".formatted(id, stage.name().replace("\"", "#quot;"), stage.lag()));
        }
        for (StageSnapshot stage : stages) {
            List<String> behind = stage.behind().isEmpty() ? List.of("ring") : stage.behind();
            for (String before : behind) {
                text.append("  %s --> %s%n".formatted(ids.getOrDefault(before, "ring"), ids.get(stage.name())));
            }
        }
        return text.toString();
    }

    private static long percent(Ring ring) {
        return 100L * ring.depth() / ring.capacity();
    }
}
