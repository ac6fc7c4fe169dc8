package io.slipstream.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The table of mutants in a document, which says within how many seeds each is found; tests take it at its word. */
public final class MutantTable {
    private static final String HEADER = "| mutant | how it is broken | caught within seeds |";

    private final Path document;
    private final Map<String, Integer> seeds = new LinkedHashMap<>();

    private MutantTable(Path document) {
        this.document = document;
    }

    /**
     * Reads the table of {@code document}, given from the root of the repository.
     *
     * @throws IllegalStateException if there is none
     */
    public static MutantTable in(String document) {
        MutantTable table = new MutantTable(Path.of("..").resolve(document));
        boolean isWithin = false;
        for (String line : table.lines()) {
            if (isWithin && !line.startsWith("|")) {
                break;
            }
            if (isWithin && !line.startsWith("|---")) {
                String[] cells = line.split("\\|");
                table.seeds.put(cells[1].strip(), Integer.parseInt(cells[3].strip()));
            }
            isWithin |= line.equals(HEADER);
        }
        if (table.seeds.isEmpty()) {
            throw new IllegalStateException(document + " has no table with the header " + HEADER);
        }
        return table;
    }

    private Iterable<String> lines() {
        try {
            return Files.readAllLines(document);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns within how many seeds a mutant must be found.
     *
     * @throws IllegalStateException if it has no row
     */
    public int seeds(String mutant) {
        Integer most = seeds.get(mutant);
        if (most == null) {
            throw new IllegalStateException(document + " has no row for the mutant \"" + mutant + '"');
        }
        return most;
    }

    /** Returns all mutants of the table, in its order. */
    public Iterable<String> mutants() {
        return seeds.keySet();
    }
}
