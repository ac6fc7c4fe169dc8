package io.slipstream.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.service.ServiceEvents;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplayEventsTest {
    @Test
    void tellsTheProgressOfTheReplayAndPassesEverythingOn() {
        List<String> told = new ArrayList<>();
        ServiceEvents own = new ServiceEvents() {
            @Override
            public void onReplay(long done, long all) {
                told.add("replay " + done + " of " + all);
            }

            @Override
            public void onWarning(String message) {
                told.add(message);
            }

            @Override
            public void onLogFull(Throwable reason) {
                throw new IllegalStateException("on purpose");
            }
        };
        ServiceEvents events = ReplayEvents.of(own, (done, all) -> told.add("progress " + done + " of " + all));
        events.onReplay(3, 8);
        events.onWarning("no memory");
        assertThat(told).containsExactly("progress 3 of 8", "replay 3 of 8", "no memory");
        assertThatThrownBy(() -> events.onLogFull(new IOException()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("on purpose");
    }
}
