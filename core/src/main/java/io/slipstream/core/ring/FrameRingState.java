package io.slipstream.core.ring;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.sequencer.FrameSequencer;
import io.slipstream.core.sequencer.MultiSequencer;
import io.slipstream.core.thread.WaitStrategy;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The fields of a ring of frames, between the paddings. */
abstract sealed class FrameRingState extends Ring permits FrameRingState.Padded {
    final FrameSequencer frames;
    final MemorySegment memory;
    final int maxMessageLength;
    final int mask;
    final @Nullable MultiSequencer many;

    FrameRingState(FrameSequencer frames, WaitStrategy publishersWait, WhenFull whenFull) {
        super(frames.sequencer(), publishersWait, whenFull);
        this.frames = frames;
        this.memory = frames.memory;
        this.maxMessageLength = frames.capacity / 2 - Frame.HEADER_BYTES;
        this.mask = frames.mask;
        this.many = frames.sequencer() instanceof MultiSequencer shared ? shared : null;
    }

    /** The padding behind these fields. */
    @SuppressWarnings("unused")
    abstract static sealed class Padded extends FrameRingState permits FrameRing {
        byte r000, r001, r002, r003, r004, r005, r006, r007, r008, r009, r010, r011, r012, r013, r014, r015;
        byte r016, r017, r018, r019, r020, r021, r022, r023, r024, r025, r026, r027, r028, r029, r030, r031;
        byte r032, r033, r034, r035, r036, r037, r038, r039, r040, r041, r042, r043, r044, r045, r046, r047;
        byte r048, r049, r050, r051, r052, r053, r054, r055, r056, r057, r058, r059, r060, r061, r062, r063;
        byte r064, r065, r066, r067, r068, r069, r070, r071, r072, r073, r074, r075, r076, r077, r078, r079;
        byte r080, r081, r082, r083, r084, r085, r086, r087, r088, r089, r090, r091, r092, r093, r094, r095;
        byte r096, r097, r098, r099, r100, r101, r102, r103, r104, r105, r106, r107, r108, r109, r110, r111;
        byte r112, r113, r114, r115, r116, r117, r118, r119, r120, r121, r122, r123, r124, r125, r126, r127;
        byte r128, r129, r130, r131, r132, r133, r134, r135, r136, r137, r138, r139, r140, r141, r142, r143;

        Padded(FrameSequencer frames, WaitStrategy publishersWait, WhenFull whenFull) {
            super(frames, publishersWait, whenFull);
        }
    }
}
