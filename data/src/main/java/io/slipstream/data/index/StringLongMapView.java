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

/** An index of strings as a map. */
final class StringLongMapView extends AbstractMap<String, Long> {
    private final BytesLongIndex index;
    private final LongLongIndex heads;

    StringLongMapView(BytesLongIndex index, LongLongIndex heads) {
        this.index = index;
        this.heads = heads;
    }

    @Override
    public int size() {
        return (int) Math.min(Integer.MAX_VALUE, index.size());
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return get(key) != null;
    }

    @Override
    public @Nullable Long get(@Nullable Object key) {
        return key instanceof String k ? orNull(index.get(k)) : null;
    }

    @Override
    public @Nullable Long put(String key, Long value) {
        Objects.requireNonNull(key, "key");
        return orNull(index.put(key, Objects.requireNonNull(value, "value")));
    }

    @Override
    public @Nullable Long remove(@Nullable Object key) {
        return key instanceof String k ? orNull(index.remove(k)) : null;
    }

    private @Nullable Long orNull(long value) {
        return value == index.missing() ? null : value;
    }

    @Override
    public Set<Map.Entry<String, Long>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<String, Long>> iterator() {
                return new Entries();
            }

            @Override
            public int size() {
                return StringLongMapView.this.size();
            }

            @Override
            public boolean contains(@Nullable Object entry) {
                return entry instanceof Map.Entry<?, ?> e
                        && e.getValue() instanceof Long value
                        && value.equals(StringLongMapView.this.get(e.getKey()));
            }

            @Override
            public boolean remove(@Nullable Object entry) {
                return entry instanceof Map.Entry<?, ?> e
                        && contains(e)
                        && StringLongMapView.this.remove(e.getKey()) != null;
            }
        };
    }

    private final class Entries implements Iterator<Map.Entry<String, Long>> {
        private final Iterator<Map.Entry<Long, Long>> chains =
                heads.asMap().entrySet().iterator();
        private final Deque<String> keys = new ArrayDeque<>();
        private @Nullable String last;

        @Override
        public boolean hasNext() {
            while (keys.isEmpty() && chains.hasNext()) {
                Map.Entry<Long, Long> chain = chains.next();
                if (chain.getKey() >>> 4 != 0) {
                    index.forEachFrom(
                            chain.getValue(),
                            (memory, offset, length, _) -> keys.add(BytesLongIndex.string(memory, offset, length)));
                }
            }
            return !keys.isEmpty();
        }

        @Override
        public Map.Entry<String, Long> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            String key = keys.remove();
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
