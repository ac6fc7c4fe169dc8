package io.slipstream.data.list;

import io.slipstream.data.schema.Schema;
import java.util.AbstractList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.RandomAccess;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The elements of a huge list as an iterator, a stream and a list of the JDK. */
final class Elements {
    private Elements() {}

    static <T> Iterator<T> iterator(Cursor<T> cursor) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return cursor.hasNext();
            }

            @Override
            public T next() {
                if (!cursor.next()) {
                    throw new NoSuchElementException();
                }
                return cursor.element();
            }
        };
    }

    static <T> Stream<T> stream(HugeList<T> list) {
        Cursor<T> cursor = list.cursor();
        boolean isRecord = list.schema().kind() == Schema.Kind.RECORD;
        Iterator<T> elements = new Iterator<>() {
            private long row;

            @Override
            public boolean hasNext() {
                return row < cursor.table().rows();
            }

            @Override
            public T next() {
                Cursor<T> at = isRecord ? cursor : list.cursor();
                // If rows were removed meanwhile, the former cursor refuses to go on.
                return (at.table() == cursor.table() ? at : cursor)
                        .moveTo(row++)
                        .element();
            }
        };
        return StreamSupport.stream(
                Spliterators.spliterator(elements, cursor.table().rows(), Spliterator.ORDERED | Spliterator.NONNULL),
                false);
    }

    static <T> List<T> list(HugeList<T> of) {
        return new ListView<>(of);
    }

    private static final class ListView<T> extends AbstractList<T> implements RandomAccess {
        private final HugeList<T> list;

        ListView(HugeList<T> list) {
            this.list = list;
        }

        @Override
        public int size() {
            requireRoom();
            return (int) list.size();
        }

        private void requireRoom() {
            long size = list.size();
            if (size > Integer.MAX_VALUE) {
                throw new ArithmeticException(
                        "the list has " + size + " elements, more than a java.util.List can say; use HugeList itself");
            }
        }

        @Override
        public T get(int index) {
            return list.get(index);
        }

        @Override
        public T set(int index, T element) {
            if (list.schema().kind() != Schema.Kind.RECORD) {
                throw new UnsupportedOperationException(
                        "the former element would be a view of the row that is overwritten; use HugeList.set");
            }
            T former = list.get(index);
            list.set(index, element);
            return former;
        }

        @Override
        public boolean add(T element) {
            requireRoom();
            list.add(element);
            modCount++;
            return true;
        }
    }
}
