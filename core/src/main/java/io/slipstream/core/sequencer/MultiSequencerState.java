package io.slipstream.core.sequencer;

import io.slipstream.core.sequence.Sequence;
import java.util.function.LongConsumer;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/** The fields of the sequencer, between the paddings. */
public abstract sealed class MultiSequencerState extends Sequencer permits MultiSequencerState.Padded {
    public final Sequence tail = new Sequence();
    public final int[] stamps;
    public final int slotShift;
    public final int lapShift;
    public final @Nullable LongToIntFunction size;

    /** Written and read between two assignments that others must see in their order, where nothing can be called. */
    public volatile boolean ordered;

    final Object closing = new Object();
    LongConsumer closer = position -> {};

    public MultiSequencerState(int capacity, int slotShift, @Nullable LongToIntFunction size) {
        super(capacity, capacity);
        this.slotShift = slotShift;
        this.lapShift = Integer.numberOfTrailingZeros(capacity);
        this.size = size;
        this.stamps = new int[capacity >>> slotShift];
    }

    /** The padding behind these fields. */
    @SuppressWarnings("unused")
    abstract static sealed class Padded extends MultiSequencerState permits MultiSequencer {
        byte r000, r001, r002, r003, r004, r005, r006, r007, r008, r009, r010, r011, r012, r013, r014, r015;
        byte r016, r017, r018, r019, r020, r021, r022, r023, r024, r025, r026, r027, r028, r029, r030, r031;
        byte r032, r033, r034, r035, r036, r037, r038, r039, r040, r041, r042, r043, r044, r045, r046, r047;
        byte r048, r049, r050, r051, r052, r053, r054, r055, r056, r057, r058, r059, r060, r061, r062, r063;
        byte r064, r065, r066, r067, r068, r069, r070, r071, r072, r073, r074, r075, r076, r077, r078, r079;
        byte r080, r081, r082, r083, r084, r085, r086, r087, r088, r089, r090, r091, r092, r093, r094, r095;
        byte r096, r097, r098, r099, r100, r101, r102, r103, r104, r105, r106, r107, r108, r109, r110, r111;
        byte r112, r113, r114, r115, r116, r117, r118, r119, r120, r121, r122, r123, r124, r125, r126, r127;
        byte r128, r129, r130, r131, r132, r133, r134, r135, r136, r137, r138, r139, r140, r141, r142, r143;

        Padded(int capacity, int slotShift, @Nullable LongToIntFunction size) {
            super(capacity, slotShift, size);
        }
    }
}
