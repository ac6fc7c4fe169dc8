package io.slipstream.architecture.interrupts;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.architecture.Small;
import io.slipstream.ipc.ChannelSettings;
import io.slipstream.ipc.IpcChannel;
import io.slipstream.ipc.IpcPublisher;
import io.slipstream.ipc.IpcSubscriber;
import io.slipstream.ipc.Start;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/** What a call of {@code ipc} needs. */
final class IpcProbes {
    private IpcProbes() {}

    static void addTo(InterruptProbes probes) {
        probes.made(ChannelSettings.class, values -> Small.channel());
        probes.made(IpcChannel.class, values -> IpcChannel.create(values.newPath(), Small.channel()));
        probes.works(IpcChannel.class, channel -> {
            try (IpcSubscriber subscriber = channel.newSubscriber("a subscriber of a check", Start.NEWEST)) {
                assertThat(subscriber.isEmpty()).isTrue();
            }
        });
        probes.works(IpcPublisher.class, publisher -> publisher.memory().get(ValueLayout.JAVA_BYTE, 0));
        probes.given(
                IpcChannel.class,
                "open",
                Path.class,
                values -> values.of(IpcChannel.class).file());
        probes.given(IpcChannel.class, "removeUnused", Path.class, values -> {
            IpcChannel channel = values.of(IpcChannel.class);
            channel.leave();
            return channel.file();
        });
    }
}
