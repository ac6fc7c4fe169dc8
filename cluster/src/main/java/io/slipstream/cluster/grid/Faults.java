package io.slipstream.cluster.grid;

import io.slipstream.cluster.config.Disturbance;
import java.util.concurrent.locks.LockSupport;

/** What is wrong with one node at present. Any thread may change it. */
final class Faults implements Disturbance {
    private static final long LOOK_NANOS = 1_000_000;

    private volatile boolean mute;
    private volatile boolean deaf;
    private volatile boolean paused;
    private volatile long roundNanos;
    private volatile long diskNanos;

    void mute(boolean isMute) {
        mute = isMute;
    }

    void deaf(boolean isDeaf) {
        deaf = isDeaf;
    }

    void paused(boolean isPaused) {
        paused = isPaused;
    }

    void roundNanos(long nanos) {
        roundNanos = nanos;
    }

    void diskNanos(long nanos) {
        diskNanos = nanos;
    }

    void heal() {
        mute = false;
        deaf = false;
        paused = false;
        roundNanos = 0;
        diskNanos = 0;
    }

    @Override
    public boolean isMute() {
        return mute;
    }

    @Override
    public boolean isDeaf() {
        return deaf;
    }

    @Override
    public void diskRound() {
        long nanos = diskNanos;
        if (nanos > 0) {
            LockSupport.parkNanos(this, nanos);
        }
    }

    @Override
    public void round() {
        long nanos = roundNanos;
        if (nanos > 0) {
            LockSupport.parkNanos(this, nanos);
        }
        while (paused && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
    }
}
