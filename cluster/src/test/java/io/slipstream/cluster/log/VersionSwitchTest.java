package io.slipstream.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Start;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VersionSwitchTest {
    private static final Start KNOWN = new Start("counting", 3, 512, 77, 64, Start.TIMERS_WAIT);

    private final FrameRing ring = FrameRing.forOnePublisher(1 << 12, WaitStrategy.parking());
    private final FramePoller poller = ring.newPoller();
    private final VersionSwitch versions = new VersionSwitch(ring, KNOWN);

    @Test
    void saysWhatItKnowsAtOnceAndSwitchesOnceWhenAsked() {
        versions.announce();
        assertThat(versions.work()).isZero();
        versions.ask();
        assertThat(versions.work()).isEqualTo(1);
        assertThat(versions.work()).isZero();
        assertThat(written())
                .containsExactly(with(Start.ANNOUNCES), with(Start.UPGRADES))
                .allMatch(start -> start.has(Start.TIMERS_WAIT));
    }

    @Test
    void switchesLaterWhenTheRingIsFull() {
        long position;
        while ((position = ring.tryClaim(Long.BYTES)) != FrameRing.NO_ROOM) {
            ring.publish(position);
        }
        versions.ask();
        assertThat(versions.work()).isZero();
        int run = poller.peekRun(Integer.MAX_VALUE);
        poller.release(run);
        assertThat(versions.work()).isEqualTo(1);
    }

    @Test
    void anAnnouncementCountsOnlyInALogThatHasNoVersion() {
        assertThat(VersionSwitch.counts(with(Start.ANNOUNCES), -1)).isTrue();
        assertThat(VersionSwitch.counts(with(Start.ANNOUNCES), 2)).isFalse();
    }

    @Test
    void anUpgradeCountsOnce() {
        assertThat(VersionSwitch.counts(with(Start.UPGRADES), 2)).isTrue();
        assertThat(VersionSwitch.counts(with(Start.UPGRADES), 3)).isFalse();
        assertThat(VersionSwitch.counts(with(Start.UPGRADES), 4)).isFalse();
    }

    /** Such a log has been written, and is replayed as it was. */
    @Test
    void aStartFromBeforeThereWereUpgradesIsOneIfItsVersionIsNewer() {
        assertThat(VersionSwitch.counts(KNOWN, 2)).isTrue();
        assertThat(VersionSwitch.counts(KNOWN, 3)).isFalse();
    }

    private static Start with(byte rule) {
        return new Start(KNOWN.name(), KNOWN.version(), KNOWN.sessions(), KNOWN.seed(), KNOWN.checkEvery(), (byte)
                (KNOWN.rules() | rule));
    }

    private List<Start> written() {
        List<Start> found = new ArrayList<>();
        poller.poll(
                (memory, offset, length, endOfBatch) -> {
                    assertThat(Message.type(memory, offset)).isEqualTo(MessageType.START);
                    found.add(Start.decode(memory, offset));
                },
                10);
        return found;
    }
}
