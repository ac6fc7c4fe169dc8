package io.slipstream.architecture.interrupts;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.cluster.RecordingLog;
import io.slipstream.cluster.backup.Backups;
import io.slipstream.cluster.backup.Restoration;
import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.Joining;
import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.control.ControlClient;
import io.slipstream.cluster.control.MemberProcess;
import io.slipstream.cluster.files.MemberCheck;
import io.slipstream.cluster.files.MemberCopy;
import io.slipstream.cluster.files.MemberLog;
import io.slipstream.cluster.files.MemberRecords;
import io.slipstream.cluster.files.Recordings;
import io.slipstream.cluster.files.Terms;
import io.slipstream.cluster.grid.Grid;
import io.slipstream.cluster.member.ClusterMember;
import io.slipstream.cluster.member.SkippedEntries;
import io.slipstream.service.ServiceConfig;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.Ports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** What a call of {@code cluster} needs. */
final class ClusterProbes {
    private ClusterProbes() {}

    static void addTo(InterruptProbes probes) {
        config(probes);
        members(probes);
        files(probes);
        backup(probes);
        grid(probes);
    }

    private static void config(InterruptProbes probes) {
        probes.made(
                Members.class,
                values -> new Members(List.of(new MemberAddress(0, "127.0.0.1", Ports.block(MemberAddress.PORTS)))));
        probes.made(ClusterConfig.class, ClusterProbes::aConfig);
        probes.given(
                Members.class,
                "load",
                Path.class,
                values -> Files.writeString(values.newPath(), "member.0 = localhost:7500\n"));
    }

    private static void members(InterruptProbes probes) {
        probes.made(ClusterMember.class, values -> leading(ClusterMember.start(aConfig(values), new Bank())));
        probes.costly(ClusterMember.class);
        probes.works(ClusterMember.class, ClusterProbes::leading);
        probes.made(MemberProcess.class, values -> {
            MemberProcess process = MemberProcess.start(aConfig(values), Bank::new);
            leading(process.member());
            return process;
        });
        probes.given(MemberProcess.class, "start", String.class, values -> InterruptProbes.SECRET);
        probes.made(ControlClient.class, values -> new ControlClient(null));
        probes.given(
                ControlClient.class,
                MemberAddress.class,
                values -> probes.shared(MemberProcess.class, values)
                        .member()
                        .config()
                        .members()
                        .get(0));
        // One that has others to hand over to.
        probes.given(ControlClient.class, "transfer", MemberAddress.class, values -> {
            Grid grid = ofThree(values);
            Await.until(
                    "all are ready",
                    () -> IntStream.range(0, grid.size())
                            .allMatch(id -> grid.member(id).isReady()));
            return grid.members().get(grid.awaitLeader());
        });
        probes.spared(ControlClient.class, "upgrade", "is refused by members whose code is no newer than their log");
        probes.given(SkippedEntries.class, "mark", Path.class, values -> aFolder(probes, values));
        probes.spared(SkippedEntries.class, "contains", "is of members alone, and looks at numbers in memory");
    }

    private static void files(InterruptProbes probes) {
        probes.made(Folder.class, values -> {
            ClusterConfig config = aConfig(values);
            try (ClusterMember member = ClusterMember.start(config, new Bank())) {
                leading(member);
            }
            return new Folder(config.service().directory());
        });
        for (Class<?> type : List.of(MemberLog.class, MemberCheck.class, MemberRecords.class)) {
            probes.given(type, Path.class, values -> aFolder(probes, values));
        }
        // The folder of a member, and where its copy goes.
        boolean[] isTarget = new boolean[1];
        probes.given(MemberCopy.class, "make", Path.class, values -> {
            isTarget[0] = !isTarget[0];
            return isTarget[0] ? aFolder(probes, values) : values.newPath();
        });
        probes.given(Recordings.class, "read", Path.class, values -> anArchive(probes, values));
        probes.given(
                Recordings.class,
                "of",
                byte[].class,
                values -> Files.readAllBytes(anArchive(probes, values).resolve(Recordings.FILE)));
        probes.given(
                Terms.class,
                "read",
                Path.class,
                values -> aFolder(probes, values).resolve("cluster"));
        probes.made(Terms.class, values -> Terms.read(aFolder(probes, values).resolve("cluster")));
        probes.made(
                RecordingLog.class,
                values ->
                        new RecordingLog(Files.createDirectory(values.newPath()).toFile(), true));
    }

    private static void backup(InterruptProbes probes) {
        probes.made(
                Backups.class,
                values -> new Backups(
                        values.newPath(),
                        probes.shared(MemberProcess.class, values)
                                .member()
                                .config()
                                .members(),
                        null));
        // A copy, and where the member goes that is made of it.
        boolean[] isTarget = new boolean[1];
        probes.given(Restoration.class, "restore", Path.class, values -> {
            isTarget[0] = !isTarget[0];
            if (!isTarget[0]) {
                return values.newPath();
            }
            Path copy = values.newPath();
            MemberCopy.make(aFolder(probes, values), copy, List.of());
            return copy;
        });
        probes.given(Restoration.class, "restore", int.class, values -> 0);
    }

    private static void grid(InterruptProbes probes) {
        probes.made(Grid.class, values -> Grid.of(1, Bank::new));
        probes.costly(Grid.class);
        probes.works(Grid.class, grid -> {
            grid.heal();
            grid.awaitLeader();
        });
        probes.given(Grid.class, int.class, values -> 0);
        probes.given(Grid.class, "of", int.class, values -> 1);
        // What it returns is closed.
        probes.given(Grid.class, "member", Grid.class, values -> values.of(Grid.class));
        for (String call : List.of("failOver", "replace")) {
            probes.given(Grid.class, call, Grid.class, ClusterProbes::ofThree);
        }
    }

    private static Grid ofThree(Values values) throws Exception {
        return values.kept(Grid.of(3, Bank::new));
    }

    private static ClusterMember leading(ClusterMember member) throws Exception {
        Await.until("it leads", member::isLeader);
        assertThat(member.isEnded()).isFalse();
        return member;
    }

    private static ClusterConfig aConfig(Values values) throws Exception {
        return ClusterConfig.of(values.of(Members.class), 0, values.of(ServiceConfig.class))
                .withTermBytes(1 << 18)
                .withJoining(Joining.FORM);
    }

    /** That of a member which has had a leader and does not run; the calls that look at it share it. */
    private static Path aFolder(InterruptProbes probes, Values values) throws Exception {
        return probes.shared(Folder.class, values).path;
    }

    private static Path anArchive(InterruptProbes probes, Values values) throws Exception {
        return aFolder(probes, values).resolve("archive");
    }

    private record Folder(Path path) {}
}
