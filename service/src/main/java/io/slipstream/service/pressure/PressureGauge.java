package io.slipstream.service.pressure;

/**
 * Turns a depth and its limit into a level that does not flutter: it rises at once, and falls only when the depth is
 * clearly below the threshold that it has passed. One thread.
 */
public final class PressureGauge {
    /** How far below its threshold, in percent of the limit, a level ends. */
    public static final int HYSTERESIS_PERCENT = 10;

    /** How full a bounded place is. */
    public enum Level {
        /** Nothing to do. */
        NORMAL(0),
        /** Tell somebody. */
        ELEVATED(70),
        /** Refuse what can be done without. */
        SHEDDING(85),
        /** Refuse everything. */
        FULL(100);

        private final int percent;

        Level(int percent) {
            this.percent = percent;
        }

        /** Returns the depth, in percent of the limit, from which on it holds. */
        public int percent() {
            return percent;
        }
    }

    private static final Level[] LEVELS = Level.values();

    private Level level = Level.NORMAL;

    /** Creates a gauge at {@link Level#NORMAL}. */
    public PressureGauge() {}

    /** Returns the level of the last update. */
    public Level level() {
        return level;
    }

    /** Returns the level at {@code depth} of {@code limit}, which is at least 1. */
    public Level update(long depth, long limit) {
        long percent = 100 * depth / limit;
        int next = level.ordinal();
        while (next + 1 < LEVELS.length && percent >= LEVELS[next + 1].percent) {
            next++;
        }
        while (next > 0 && percent < LEVELS[next].percent - HYSTERESIS_PERCENT) {
            next--;
        }
        level = LEVELS[next];
        return level;
    }
}
