package io.slipstream.cli.lab;

import java.time.Duration;

/** Durations for people who wait. */
final class Times {
    private Times() {
    }

    static String show(Duration time) {
        if (time.toSeconds() < 100) {
            return time.toSeconds() + " s";
        }
        if (time.toMinutes() < 100) {
            return Math.round(time.toSeconds() / 60.0) + " min";
        }
        return Math.round(time.toMinutes() / 60.0) + " h";
    }
}
