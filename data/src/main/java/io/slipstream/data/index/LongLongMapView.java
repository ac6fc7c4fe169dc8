package io.slipstream.data.index;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An index as a map. An iterator takes the keys of one page after another. */
final class LongLongMapView extends AbstractMap<Long, Long> {
    private final LongLongIndex index;
    private final LongTable table;

    LongLongMapView(LongLongIndex index, LongTable table) {
        this.index = index;
        this.table = table;
    }

    @Override
    public int size() {
        return (int) Math.min(Integer.MAX_VALUE, index.size());
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return key instanceof Long k && index.containsKey(k);
    }

    @Override
    public @Nullable Long get(@Nullable Object key) {
        return key instanceof Long k ? orNull(index.get(k)) : null;
    }

    @Override
    public @Nullable Long put(Long key, Long value) {
        Objects.requireNonNull(key, "key");
        return orNull(index.put(key, Objects.requireNonNull(value, "value")));
    }

    @Override
    public @Nullable Long remove(@Nullable Object key) {
        return key instanceof Long k ? orNull(index.remove(k)) : null;
    }

    private @Nullable Long orNull(long value) {
        return value == index.missing() ? null : value;
    }

    @Override
    public Set<Map.Entry<Long, Long>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<Long, Long>> iterator() {
                return new Entries();
            }

            @Override
            public int size() {
                return LongLongMapView.this.size();
            }

            @Override
            public boolean contains(@Nullable Object entry) {
                return entry instanceof Map.Entry<?, ?> e
                        && e.getKey() instanceof Long key
                        && e.getValue() instanceof Long value
                        && value.equals(orNull(index.get(key)));
            }

            @Override
            public boolean remove(@Nullable Object entry) {
                return contains(entry)
                        && LongLongMapView.this.remove(((Map.Entry<?, ?>) Objects.requireNonNull(entry)).getKey())
                                != null;
            }
        };
    }

    private final class Entries implements Iterator<Map.Entry<Long, Long>> {
        private final Directory directory = table.directory();
        private final Deque<Long> keys = new ArrayDeque<>();
        private int page;
        private @Nullable Long last;

        Entries() {
            if (index.containsKey(0)) {
                keys.add(0L);
            }
        }

        @Override
        public boolean hasNext() {
            while (keys.isEmpty() && page < directory.entries.length) {
                table.forEachOfPage(directory, page, (key, _) -> keys.add(key));
                page += directory.span(page);
            }
            return !keys.isEmpty();
        }

        @Override
        public Map.Entry<Long, Long> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Long key = keys.remove();
            last = key;
            return new SimpleEntry<>(key, index.get(key)) {
                private static final long serialVersionUID = 1L;

                @Override
                public Long setValue(Long value) {
                    index.put(getKey(), value);
                    return super.setValue(value);
                }
            };
        }

        @Override
        public void remove() {
            if (last == null) {
                throw new IllegalStateException("nothing to remove: call next() first");
            }
            index.remove(last);
            last = null;
        }
    }
}
