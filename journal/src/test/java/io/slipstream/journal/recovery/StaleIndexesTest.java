package io.slipstream.journal.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.format.FileName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StaleIndexesTest {

    private static final int SEGMENTS = 300_000;

    /** A look through a list for each name would take hours with so many; the limit is a guard, not a measurement. */
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void findsThoseOfOtherSegmentsAmongHundredsOfThousands() {
        List<String> names = new ArrayList<>();
        for (long number = 1; number <= SEGMENTS; number++) {
            names.add(FileName.of(number));
            names.add(FileName.index(number));
        }
        names.add("journal.lock");
        assertThat(Recovery.staleIndexes(names, LongStream.range(2, SEGMENTS)))
                .containsExactly(FileName.index(1), FileName.index(SEGMENTS));
    }
}
