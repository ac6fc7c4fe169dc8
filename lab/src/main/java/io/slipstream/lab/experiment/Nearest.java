package io.slipstream.lab.experiment;

import io.slipstream.lab.Experiment;
import io.slipstream.lab.Group;
import io.slipstream.lab.tool.EditDistance;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The id or group that somebody who mistyped probably meant: the nearest one by letters. */
final class Nearest {
    private Nearest() {}

    /** Returns it, or nothing when no letter of any is in its place. */
    static Optional<String> to(String typed, List<Experiment> experiments) {
        Stream<String> names = Stream.concat(
                experiments.stream().map(e -> e.card().id()),
                Stream.of(Group.values()).map(Group::id));
        String lower = typed.toLowerCase(Locale.ROOT);
        return names.min(Comparator.comparingInt(n -> EditDistance.between(n.toLowerCase(Locale.ROOT), lower)))
                .filter(n ->
                        EditDistance.between(n.toLowerCase(Locale.ROOT), lower) < Math.max(n.length(), typed.length()));
    }
}
