package io.slipstream.keyvalue.value;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Elements by their places: in the order in which they came, while they are few. Among many the last one takes the
 * place of one that is removed. For one thread.
 *
 * <p>A scan goes from the last element to the first, and its cursor is how many are left. An element only ever moves
 * towards the first, and new ones come last: so what is there from the beginning of a scan to its end is seen, if
 * perhaps twice.
 */
final class Places<E extends Places.Element> {
    private final List<E> elements = new ArrayList<>();

    /** What knows its place. */
    static class Element {
        int place;
    }

    void add(E element) {
        element.place = elements.size();
        elements.add(element);
    }

    /** Puts an element in place of one that is there. */
    void replace(E former, E element) {
        element.place = former.place;
        elements.set(former.place, element);
    }

    void remove(E element) {
        int place = element.place;
        if (elements.size() <= Value.SCANNED_AT_ONCE) {
            elements.remove(place);
            for (int i = place; i < elements.size(); i++) {
                elements.get(i).place = i;
            }
            return;
        }
        E last = elements.removeLast();
        if (last != element) {
            last.place = place;
            elements.set(place, last);
        }
    }

    void forEach(Consumer<? super E> visitor) {
        elements.forEach(visitor);
    }

    /** Hands out the next {@code count} elements; cursor and result as {@link HashValue#scan}. */
    long scan(long cursor, long count, Consumer<? super E> visitor) {
        if (elements.size() <= Value.SCANNED_AT_ONCE) {
            elements.forEach(visitor);
            return 0;
        }
        int left = cursor <= 0 ? elements.size() : (int) Math.min(cursor, elements.size());
        for (long seen = 0; left > 0 && seen < count; seen++) {
            visitor.accept(elements.get(--left));
        }
        return left;
    }
}
