package io.slipstream.data.wire;

import java.util.List;

/** What all lists have in common. */
final class Lists {
    private Lists() {
    }

    static int size(List<?> list, int max, Place place) {
        int size = list.size();
        if (max != 0 && size > max) {
            throw place.tooLong(size, max, "elements");
        }
        return size;
    }

    static Object get(List<?> list, int index, Place place) {
        Object element = list.get(index);
        if (element == null) {
            throw place.wrong("has null at " + index + "; elements of lists cannot be null");
        }
        return element;
    }
}
