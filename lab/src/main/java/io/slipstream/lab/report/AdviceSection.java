package io.slipstream.lab.report;

import io.slipstream.lab.run.RunResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What to do about all that. */
final class AdviceSection {
    /** What a service must decide in any case, with the experiments that it takes. */
    private static final Map<String, List<String>> TOPICS = new LinkedHashMap<>();

    static {
        TOPICS.put("Wait strategy", List.of("B3", "B4"));
        TOPICS.put("Padding", List.of("B2"));
        TOPICS.put("Buffer size", List.of("B21"));
        TOPICS.put("Batch size", List.of("B11"));
        TOPICS.put("File IO", List.of("B8"));
        TOPICS.put("Pinning", List.of("B4"));
    }

    private AdviceSection() {}

    static void add(Html page, List<Advice> advice, RunResult run) {
        page.raw("<section id=\"advice\">\n<h2>What suits this machine</h2>\n<dl>\n");
        Set<String> topics = new LinkedHashSet<>(TOPICS.keySet());
        advice.forEach(piece -> topics.add(piece.topic()));
        for (String topic : topics) {
            page.element("dt", topic);
            List<Advice> pieces =
                    advice.stream().filter(piece -> piece.topic().equals(topic)).toList();
            for (Advice piece : pieces) {
                page.raw("<dd>")
                        .element("p", piece.text())
                        .element("p class=\"note\"", piece.because())
                        .raw("</dd>\n");
            }
            if (pieces.isEmpty()) {
                page.raw("<dd>")
                        .element("p class=\"note\"", whyNone(TOPICS.getOrDefault(topic, List.of()), run))
                        .raw("</dd>\n");
            }
        }
        page.raw("</dl>\n</section>\n");
    }

    private static String whyNone(List<String> ids, RunResult run) {
        List<Judged> measured = run.machine().jvms().stream()
                .limit(1)
                .flatMap(first -> Judged.all(run.on(first)).stream())
                .toList();
        List<String> reasons = new ArrayList<>();
        List<String> again = new ArrayList<>();
        for (String id : ids) {
            Judged one = measured.stream()
                    .filter(judged -> judged.result().id().equals(id))
                    .findFirst()
                    .orElse(null);
            String reason = one == null
                    ? "was not run"
                    : one.result().cases().stream().anyMatch(c -> c.calm().isDisturbed())
                            ? "was disturbed"
                            : one.findings().isEmpty() ? "has no figures" : "";
            if (!reason.isEmpty()) {
                reasons.add(id + " " + reason);
                again.add(id);
            }
        }
        return reasons.isEmpty()
                ? "Cannot be advised: some figures of " + String.join(" and ", ids)
                        + " are missing, or their spread reaches across the rule's line; repeat with ./slipstream"
                        + " lab run "
                        + String.join(" ", ids)
                : "Cannot be advised: " + String.join(", ", reasons) + "; ./slipstream lab run "
                        + String.join(" ", again);
    }
}
