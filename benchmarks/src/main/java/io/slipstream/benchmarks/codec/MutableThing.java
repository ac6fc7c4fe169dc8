package io.slipstream.benchmarks.codec;

import io.slipstream.data.annotation.Length;

/** A {@link Thing} that is read into again and again. */
public final class MutableThing {
    long number;
    boolean flag;
    int first;
    int second;

    @Length(Thing.ARRAY)
    double[] doubles = new double[Thing.ARRAY];

    @Length(Thing.ARRAY)
    long[] longs = new long[Thing.ARRAY];

    static MutableThing of(Thing thing) {
        MutableThing copy = new MutableThing();
        copy.number = thing.number();
        copy.flag = thing.flag();
        copy.first = thing.first();
        copy.second = thing.second();
        copy.doubles = thing.doubles();
        copy.longs = thing.longs();
        return copy;
    }

    long sum() {
        return Thing.sum(number, flag, first, second, doubles, longs);
    }
}
