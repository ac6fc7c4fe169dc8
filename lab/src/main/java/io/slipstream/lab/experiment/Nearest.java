package io.slipstream.lab.experiment;

import io.slipstream.lab.Experiment;
import io.slipstream.lab.Group;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The id or group that somebody who mistyped probably meant: the least edit distance (Wagner and Fischer, 1974). */
final class Nearest {
    private Nearest() {}

    /** Returns it, or nothing when no letter of any is in its place. */
    static Optional<String> to(String typed, List<Experiment> experiments) {
        Stream<String> names = Stream.concat(
                experiments.stream().map(e -> e.card().id()),
                Stream.of(Group.values()).map(Group::id));
        String lower = typed.toLowerCase(Locale.ROOT);
        return names.min(Comparator.comparingInt(n -> distance(n.toLowerCase(Locale.ROOT), lower)))
                .filter(n -> distance(n.toLowerCase(Locale.ROOT), lower) < Math.max(n.length(), typed.length()));
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
