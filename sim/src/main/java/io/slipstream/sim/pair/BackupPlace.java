package io.slipstream.sim.pair;

import io.slipstream.replica.backup.BackupConfig;
import io.slipstream.replica.backup.BackupSite;
import io.slipstream.replica.backup.Promotion;
import io.slipstream.replica.backup.SiteReport;
import io.slipstream.replica.site.Role;
import io.slipstream.service.Service;
import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.storage.SimulatedCrash;
import io.slipstream.sim.tally.Tally;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Where the backup is, and the service once it was promoted. */
final class BackupPlace extends PairSite {
    private @Nullable BackupSite site;
    private @Nullable Service service;
    private Tally live = new Tally();
    private boolean isPromoting;
    private @Nullable Promotion promotion;

    BackupPlace(PairSimulation world) {
        super(world, "backup");
    }

    @Override
    void start(SimulatedHost on) throws IOException {
        isPromoting = false;
        promotion = null;
        Tally warm = new Tally();
        BackupSite started = BackupSite.start(
                world.settings().next(on, PairSettings.BACKUP_PORT),
                BackupConfig.of(PairSettings.SITE, PairSettings.TOKEN)
                        .withSilence(Duration.ofSeconds(1 + starts().random().nextInt(5))),
                warm);
        site = started;
        live = warm;
        SiteReport report = started.report();
        if (report.role() == Role.PROMOTED) {
            world.promoted(report.received());
            serve(started, on, null);
        } else {
            world.require(!world.isPromoted(), "the backup was promoted, and is a backup again");
            world.require(
                    report.received() >= world.acknowledged(),
                    "the backup has acknowledged record " + world.acknowledged() + ", and ends with "
                            + report.received());
        }
    }

    /** Operators tell it to take over, all at the same time. */
    void promote(int operators) {
        BackupSite present = site;
        SimulatedHost on = running();
        if (present == null || on == null || isPromoting || service != null) {
            return;
        }
        isPromoting = true;
        world.asked();
        schedule.trace().note(name, "is to take over", 0);
        for (int i = 1; i <= operators; i++) {
            on.threads().start("operator-" + i, () -> {
                try {
                    Promotion done = present.promote();
                    schedule.after(0, () -> promoted(present, on, done));
                } catch (IOException e) {
                    schedule.trace().note(name, "does not take over: " + e.getMessage(), 0);
                    isPromoting = false;
                }
            });
        }
    }

    private void promoted(BackupSite of, SimulatedHost on, Promotion done) {
        world.promoted(done.sequence());
        Promotion told = promotion;
        world.require(told == null || told.equals(done), "two operators were told of two promotions");
        promotion = done;
        if (told != null || on.isDead() || site != of) {
            return;
        }
        schedule.trace().note(name, "has taken over behind", done.sequence());
        try {
            serve(of, on, live);
        } catch (SimulatedCrash e) {
            schedule.trace().note(name, "dies while it takes over", 0);
        } catch (IOException | RuntimeException e) {
            world.require(on.isDead() || isFull(), "the backup was promoted, and does not serve: " + e);
            // It serves once it was started again and has room.
            dies(false);
        }
    }

    private void serve(BackupSite of, SimulatedHost on, @Nullable Tally warm) throws IOException {
        @Nullable Tally[] first = {warm};
        Service started = of.serve(
                world.settings().next(on, PairSettings.BACKUP_PORT),
                () -> {
                    Tally made = new Tally();
                    first[0] = first[0] == null ? made : first[0];
                    return made;
                },
                null);
        Tally machine = first[0];
        live = machine == null ? live : machine;
        service = started;
        started.ended().whenComplete((_, failure) -> {
            if (failure != null && !on.isDead()) {
                world.require(isForRoom(failure), "the promoted backup has ended by itself: " + failure);
                hasEnded(on);
            }
        });
    }

    @Override
    void close() throws IOException {
        Service serving = service;
        BackupSite present = site;
        service = null;
        site = null;
        try {
            if (serving != null) {
                serving.close();
            }
        } finally {
            if (present != null) {
                present.close();
            }
        }
    }

    @Override
    void refused(Throwable reason) {
        world.require(isFull(), "the backup does not start: " + reason);
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

    /** Returns whether its machine has applied all that is durable here. */
    boolean isWarm() {
        BackupSite present = site;
        if (present == null || running() == null) {
            return false;
        }
        SiteReport report = present.report();
        return report.connected() && report.applied() == report.received();
    }
}
