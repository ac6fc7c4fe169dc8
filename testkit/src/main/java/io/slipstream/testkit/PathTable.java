package io.slipstream.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table in {@code docs/architecture.md} that says who copies what a client sends or gets; tests hold it to it. */
public final class PathTable {
    private static final String DOCUMENT = "docs/architecture.md";
    private static final Pattern METHOD = Pattern.compile("`([^`]+)`");

    private PathTable() {}

    /**
     * A row of the table.
     *
     * @param copies the methods that copy a payload, sorted, each as often as it does
     * @param walks  the methods that walk over the headers, sorted
     */
    public record Row(List<String> copies, List<String> walks) {}

    /**
     * Returns the row whose first cell is {@code path}.
     *
     * @throws IllegalStateException if there is none
     */
    public static Row row(String path) {
        try {
            for (String line : Files.readAllLines(document())) {
                String[] cells = line.split("\\|");
                if (cells.length == 4 && cells[1].strip().equals(path)) {
                    return new Row(methods(cells[2]), methods(cells[3]));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException(DOCUMENT + " has no row for " + path);
    }

    private static List<String> methods(String cell) {
        List<String> methods = new ArrayList<>();
        for (Matcher matcher = METHOD.matcher(cell); matcher.find(); ) {
            methods.add(matcher.group(1));
        }
        methods.sort(null);
        return methods;
    }

    /** A test runs in the folder of its module, in the root of the repository or below. */
    private static Path document() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            Path document = folder.resolve(DOCUMENT);
            if (Files.exists(document)) {
                return document;
            }
        }
        throw new IllegalStateException(DOCUMENT + " is in no folder above this one");
    }
}
