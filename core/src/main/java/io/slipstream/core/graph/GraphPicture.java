package io.slipstream.core.graph;

import io.slipstream.core.ring.Ring;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Draws a graph as text and in the Mermaid language. Names are shown as they are, but for what would break a line,
 * steer a terminal or be read as a part of the language. Numbers are those of no country.
 */
final class GraphPicture {
    private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\u2028\\u2029]");

    private GraphPicture() {}

    static String text(Ring ring, List<StageSnapshot> stages) {
        String failure = ring.failure();
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "ring: capacity %d, claimed %d, depth %d (%d %%)%s%n",
                ring.capacity(),
                ring.claimed(),
                ring.depth(),
                percent(ring),
                failure == null ? "" : ", FAILED: " + plain(failure)));
        int width = stages.stream().mapToInt(s -> s.name().length()).max().orElse(0);
        for (StageSnapshot stage : stages) {
            text.append(String.format(
                    Locale.ROOT,
                    "  %s ─▶ %s%s  at %d, lag %d%n",
                    stage.behind().isEmpty() ? "ring" : plain(String.join(" + ", stage.behind())),
                    plain(stage.name()),
                    " ".repeat(width - stage.name().length()),
                    stage.position(),
                    stage.lag()));
        }
        return text.toString();
    }

    static String mermaid(Ring ring, List<StageSnapshot> stages) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT, "graph LR%n  ring([ring<br/>depth %d of %d])%n", ring.depth(), ring.capacity()));
        Map<String, String> ids = new HashMap<>();
        for (StageSnapshot stage : stages) {
            String id = "s" + ids.size();
            ids.put(stage.name(), id);
            text.append(String.format(Locale.ROOT, "  %s[\"%s<br/>lag %d\"]%n", id, quoted(stage.name()), stage.lag()));
        }
        for (StageSnapshot stage : stages) {
            List<String> behind = stage.behind().isEmpty() ? List.of("ring") : stage.behind();
            for (String before : behind) {
                text.append(String.format(
                        Locale.ROOT, "  %s --> %s%n", ids.getOrDefault(before, "ring"), ids.get(stage.name())));
            }
        }
        return text.toString();
    }

    private static String plain(String name) {
        return UNSEEN.matcher(name).replaceAll("\uFFFD");
    }

    /**
     * Returns a name as it stands within quotes in Mermaid, which writes what belongs to the language as
     * {@code #name;}.
     */
    private static String quoted(String name) {
        return plain(name)
                .replace("#", "#35;")
                .replace("\"", "#quot;")
                .replace("<", "#lt;")
                .replace(">", "#gt;")
                .replace("&", "#amp;");
    }

    private static long percent(Ring ring) {
        return 100L * ring.depth() / ring.capacity();
    }
}
