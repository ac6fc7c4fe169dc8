package io.slipstream.data.list;

import io.slipstream.data.schema.Schema;
import java.util.AbstractList;
import java.util.RandomAccess;

/** A huge list as a list. */
final class ListView<T> extends AbstractList<T> implements RandomAccess {
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
