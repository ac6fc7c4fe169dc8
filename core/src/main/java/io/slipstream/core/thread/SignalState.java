package io.slipstream.core.thread;

import io.slipstream.core.memory.Padding;
import org.jspecify.annotations.Nullable;

/** The fields of a signal, between the paddings: others read whether it is armed with each of their publications. */
abstract class SignalState extends Padding {
    volatile @Nullable Thread sleeper;
    boolean armed;
}
