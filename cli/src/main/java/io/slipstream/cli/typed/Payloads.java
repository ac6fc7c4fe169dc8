package io.slipstream.cli.typed;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What one connection sends, one after the other. Payloads without a number of their own are made before, so that
 * making them takes nothing from the load.
 */
final class Payloads {
    private static final int PREPARED = 4096;
    private static final int PREPARED_BYTES = 1 << 20;

    private final List<CommandTemplate> templates;
    private final boolean numbered;
    private final MemorySegment[] prepared;
    private final SplittableRandom random;
    private final long step;
    private long number;
    private int turn;

    /**
     * Creates the payloads of a connection.
     *
     * @param templates taken by turns; if there are none, {@code bytes} random bytes are sent
     * @param first     number of the first command
     * @param step      to the number of the next one
     */
    Payloads(List<CommandTemplate> templates, int bytes, long seed, long first, long step) {
        this.templates = List.copyOf(templates);
        this.numbered = templates.stream().anyMatch(CommandTemplate::isNumbered);
        this.random = new SplittableRandom(seed);
        this.number = first;
        this.step = step;
        this.prepared = numbered ? new MemorySegment[0] : prepare(bytes);
    }

    /** Makes a whole number of turns, so that the kind of what comes next follows from its place. */
    private MemorySegment[] prepare(int bytes) {
        List<MemorySegment> made = new ArrayList<>();
        long madeBytes = 0;
        int turn = Math.max(1, templates.size());
        do {
            for (int i = 0; i < turn; i++) {
                byte[] payload =
                        templates.isEmpty() ? random(bytes) : templates.get(i).payload(0, random);
                made.add(MemorySegment.ofArray(payload));
                madeBytes += payload.length;
            }
        } while (made.size() + turn <= PREPARED && madeBytes < PREPARED_BYTES);
        return made.toArray(MemorySegment[]::new);
    }

    private byte[] random(int bytes) {
        byte[] payload = new byte[bytes];
        random.nextBytes(payload);
        return payload;
    }

    /** Returns whether the next one is a query. */
    boolean isQuery() {
        return !templates.isEmpty() && templates.get(turn % templates.size()).isQuery();
    }

    /** Returns the next one; it stays the next one until {@link #taken}. */
    MemorySegment next() {
        return numbered ? MemorySegment.ofArray(templates.get(turn).payload(number, random)) : prepared[turn];
    }

    void taken() {
        number += step;
        turn = turn + 1 >= (numbered ? templates.size() : prepared.length) ? 0 : turn + 1;
    }
}
