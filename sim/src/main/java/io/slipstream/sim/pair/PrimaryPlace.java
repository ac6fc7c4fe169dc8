package io.slipstream.sim.pair;

import io.slipstream.replica.primary.JournalPush;
import io.slipstream.replica.primary.PushConfig;
import io.slipstream.replica.primary.PushEvents;
import io.slipstream.replica.site.FencedException;
import io.slipstream.service.Service;
import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.tally.Tally;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Where the service is at first. */
final class PrimaryPlace extends PairSite {
    private @Nullable Service service;
    private @Nullable JournalPush push;
    private Tally live = new Tally();
    private long acknowledged;

    PrimaryPlace(PairSimulation world) {
        super(world, "primary");
    }

    @Override
    void start(SimulatedHost on) throws IOException {
        boolean wasPromoted = world.isPromoted();
        // An operator says that the backup was not promoted, if he knows.
        boolean alone = !wasPromoted && !world.isCalm() && starts().random().nextInt(3) == 0;
        JournalPush opened = new JournalPush(PushConfig.of(PairSettings.FOLDER, PairSettings.SITE, PairSettings.TOKEN)
                .withHost(on)
                .withLevel(world.settings().level())
                .withSilence(Duration.ofSeconds(1 + starts().random().nextInt(5)))
                .withConnectTimeout(Duration.ofSeconds(1 + starts().random().nextInt(3)))
                .withStartAlone(alone)
                .withEvents(events()));
        Tally made = new Tally();
        Service started = Service.start(
                world.settings().next(on, PairSettings.PRIMARY_PORT).withLogGate(opened), made);
        world.require(!wasPromoted, "the former primary serves again although its backup was promoted");
        push = opened;
        live = made;
        service = started;
        started.ended()
                .whenComplete((_, failure) ->
                        ended(on, failure instanceof CompletionException ? failure.getCause() : failure));
    }

    private void ended(SimulatedHost on, @Nullable Throwable failure) {
        if (on.isDead() || failure == null || service == null) {
            // One that ends in order may leave commands unanswered which the backup does not have.
            return;
        }
        schedule.trace().note(name, "ends by itself: " + failure.getMessage(), 0);
        world.require(
                failure instanceof FencedException && world.isPromotedOrAbout() || isForRoom(failure),
                "the primary has ended by itself: " + failure);
        hasEnded(on);
    }

    @Override
    void close() throws IOException {
        noteAcknowledged();
        Service open = service;
        service = null;
        push = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    void refused(Throwable reason) {
        boolean isAsked = reason instanceof FencedException && world.isPromotedOrAbout();
        world.require(
                isAsked
                        || isFull()
                        || String.valueOf(reason.getMessage()).startsWith("the backup site could not be asked"),
                "the primary does not start: " + reason);
    }

    @Override
    @Nullable
    Service service() {
        return service;
    }

    @Override
    Tally live() {
        return live;
    }

    /** Returns whether the backup has all that is durable here. */
    boolean isPushed() {
        JournalPush present = push;
        return present != null && present.isConnected() && present.lag() == 0;
    }

    /** Returns the last record that the backup has ever said to have. */
    long acknowledged() {
        noteAcknowledged();
        return acknowledged;
    }

    private void noteAcknowledged() {
        JournalPush present = push;
        if (present != null) {
            acknowledged = Math.max(acknowledged, present.acknowledgedSequence());
        }
    }

    private PushEvents events() {
        return new PushEvents() {
            @Override
            public void onConnected(String backup, long sequence) {
                schedule.trace().note(name, "pushes what follows", sequence);
            }

            @Override
            public void onDisconnected(String backup, Throwable reason) {
                schedule.trace().note(name, "has lost the backup: " + reason.getMessage(), 0);
            }

            @Override
            public void onLag(long records, Duration since) {
                schedule.trace().note(name, "is ahead by", records);
            }
        };
    }
}
