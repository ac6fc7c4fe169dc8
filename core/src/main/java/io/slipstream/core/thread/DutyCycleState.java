package io.slipstream.core.thread;

import io.slipstream.core.memory.Padding;
import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.function.Consumer;

/** The fields of a cycle, between the paddings: its thread writes some of them in each round. */
abstract class DutyCycleState extends Padding {
    final DutyPolicy policy;
    final Consumer<? super Throwable> onFailure;
    Duty[] planned;
    Duty[] duties = {};
    boolean wasBusy;
    long clock;
    int spins;
    long rounds;
    long busyNanos;
    long longestRoundNanos;
    long failures;
    volatile @Nullable Throwable lastFailure;

    DutyCycleState(Duty[] duties, DutyPolicy policy, Consumer<? super Throwable> onFailure) {
        this.planned = duties;
        this.policy = Objects.requireNonNull(policy, "policy");
        this.onFailure = Objects.requireNonNull(onFailure, "onFailure");
    }
}
