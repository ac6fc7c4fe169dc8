package io.slipstream.keyvalue.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacesTest {
    private static final int STEPS = 30_000;

    /** Few and many elements by turns, with names of which some have the same place in the table. */
    @ParameterizedTest
    @CsvSource({"true, 20", "false, 20", "true, 40", "false, 40", "true, 3000", "false, 3000"})
    void findsAndKeepsWhatAListWould(boolean keepsOrder, int most) {
        Random random = new Random(most);
        Places<Bytes> places = new Places<>(name -> name, keepsOrder);
        List<Bytes> model = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            Bytes name = Bytes.of("element:" + random.nextInt(most));
            boolean isGrowing = step / (4 * most) % 2 == 0;
            int known = model.indexOf(name);
            if (known < 0 && random.nextInt(4) < (isGrowing ? 3 : 1)) {
                assertThat(places.find(name)).isNull();
                places.add(name);
                model.add(name);
            } else if (random.nextInt(4) < (isGrowing ? 1 : 3)) {
                assertThat(places.remove(name)).isEqualTo(known < 0 ? null : name);
                remove(model, known, keepsOrder);
            } else {
                assertThat(places.find(name)).isEqualTo(known < 0 ? null : name);
            }
            if (step % 500 == 0) {
                assertThat(places.all()).isEqualTo(model);
                model.forEach(each -> assertThat(places.find(each)).isSameAs(each));
            }
        }
        assertThat(places.all()).isEqualTo(model);
    }

    private static void remove(List<Bytes> model, int place, boolean keepsOrder) {
        if (place < 0) {
            return;
        }
        if (keepsOrder && model.size() <= Value.SCANNED_AT_ONCE) {
            model.remove(place);
            return;
        }
        Bytes last = model.removeLast();
        if (place < model.size()) {
            model.set(place, last);
        }
    }
}
