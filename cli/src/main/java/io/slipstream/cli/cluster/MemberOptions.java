package io.slipstream.cli.cluster;

import io.slipstream.cli.console.AccessOptions;
import io.slipstream.cli.console.Ended;
import io.slipstream.cli.console.SiteOptions;
import io.slipstream.cli.console.Usage;
import io.slipstream.cli.service.HttpOptions;
import io.slipstream.cli.service.ProcessCounters;
import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.Joining;
import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.control.ControlClient;
import io.slipstream.cluster.control.MemberProcess;
import io.slipstream.core.counters.Counters;
import io.slipstream.http.HttpGateway;
import io.slipstream.http.api.Api;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.machine.StateMachine;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Lets a service be one member of a cluster. */
public final class MemberOptions {
    private static final long STOP_LIMIT_NANOS = 60_000_000_000L;
    private static final List<String> OF_A_MEMBER =
            List.of("--member", "--form", "--replace", "--no-snapshots", "--control-token", "--bind");
    private static final List<String> NEVER_OF_A_MEMBER = List.of(
            "--snapshot-every",
            "--keep",
            "--check-snapshots",
            "--threads",
            "--gateway-threads",
            "--block-bytes",
            "--backup",
            "--backup-token",
            "--backup-tls",
            "--backup-level",
            "--backup-bandwidth",
            "--start-alone");

    @Option(
            names = "--cluster",
            paramLabel = "FILE",
            description = "Runs a member of the cluster that FILE names, with lines such as member.0 = 10.0.0.1:9000.")
    private @Nullable Path file;

    @Option(
            names = "--member",
            paramLabel = "N",
            defaultValue = "-1",
            showDefaultValue = Visibility.NEVER,
            description = "Which of the members this is, from 0 on.")
    private int member;

    @Option(
            names = "--form",
            description = "The first start of a member of a new cluster; its folder is empty. Never for a member that"
                    + " has lost its folder.")
    private boolean form;

    @Option(
            names = "--replace",
            description = "The member has lost its folder, and starts on an empty one: it copies the log from the"
                    + " leader before it takes part.")
    private boolean replace;

    @Option(
            names = "--no-snapshots",
            description = "The members take no snapshots by themselves, so their logs grow without end.")
    private boolean withoutSnapshots;

    @Option(
            names = "--control-token",
            paramLabel = "FILE",
            description = "Lets only operators command the member who know the token in this file; the same at all"
                    + " members.")
    private @Nullable Path token;

    @Option(
            names = "--bind",
            paramLabel = "HOST",
            description = "Address that the member listens on, if it is not the one in the file, at which others reach"
                    + " it; such as 0.0.0.0 in a container.")
    private @Nullable String bind;

    /** Creates the options; picocli fills them in. */
    public MemberOptions() {}

    /** Returns whether the service is to be a member of a cluster; nothing is refused yet. */
    public boolean isMember() {
        return file != null;
    }

    /**
     * Returns whether the service is a member of a cluster. What would be ignored is refused: options of a member at a
     * service that is none, and the other way round.
     *
     * @param notHonoured options of the command that a member has no use for
     */
    public boolean isGiven(CommandSpec spec, String... notHonoured) {
        if (file != null) {
            refuse(spec, "a member of a cluster (--cluster) has no ", NEVER_OF_A_MEMBER);
            refuse(spec, "a member of a cluster (--cluster) has no ", List.of(notHonoured));
        } else {
            refuse(spec, "only a member of a cluster (--cluster) has ", OF_A_MEMBER);
        }
        return file != null;
    }

    private static void refuse(CommandSpec spec, String why, List<String> options) {
        for (String option : options) {
            if (Usage.isSaid(spec, option)) {
                throw Usage.wrong(spec, why + option);
            }
        }
    }

    /**
     * Runs the member until the process is told to stop.
     *
     * @param service clients, limits and folder
     * @param forced  whether each member forces the log to its disk
     * @param http    what is to be in front of the member
     * @param api     for that
     */
    public int serve(
            CommandSpec spec,
            String name,
            ServiceConfig service,
            boolean forced,
            Supplier<? extends StateMachine> machines,
            HttpOptions http,
            Api api)
            throws IOException, InterruptedException {
        Path named = file;
        if (named == null) {
            throw new IllegalStateException("no cluster was named");
        }
        Members members = Members.load(named);
        Usage.range(spec, "--member", member, 0, members.size() - 1);
        if (form && replace) {
            throw Usage.wrong(spec, "a member is new (--form), or takes the place of a lost one (--replace)");
        }
        MemberAddress own = members.get(member);
        int frames = Integer.highestOneBit(Math.max(1 << 18, service.limits().maxFrameLength() - 1)) << 1;
        ClusterConfig config = ClusterConfig.of(members, member, service)
                .withTermBytes(16 * frames)
                .withForced(forced)
                .withJoining(form ? Joining.FORM : replace ? Joining.REPLACE : Joining.AGAIN);
        if (withoutSnapshots) {
            config = config.withSnapshotLogBytes(0);
        }
        if (bind != null) {
            config = config.withBind(bind);
        }
        InetSocketAddress listens = new InetSocketAddress(config.listensOn(), own.port());
        AccessOptions.requireSaid(service.withAddress(listens));
        PrintWriter out = spec.commandLine().getOut();
        if (replace) {
            out.printf(Locale.ROOT, "Member %d copies the log from the leader.%n", member);
            out.flush();
        }
        http.lookSeldom();
        try (Counters counters = ProcessCounters.create(out);
                HttpGateway gateway = http.listen(api, counters, out);
                MemberProcess process = MemberProcess.start(config, machines, counters, secret())) {
            Runtime.getRuntime()
                    .addShutdownHook(
                            Thread.ofPlatform().name("stop").unstarted(() -> stop(process, gateway, counters, out)));
            http.connect(gateway, listens, null);
            if (gateway != null) {
                MemberWatch watch = new MemberWatch(members, new ControlClient(secret()));
                gateway.showMembers(watch::views);
                process.ended().whenComplete((_, _) -> watch.close());
            }
            out.printf(
                    Locale.ROOT,
                    "Serving the %s as member %d of %d on %s; Ctrl-C stops it.%n",
                    name,
                    member,
                    members.size(),
                    members.get(member).clients());
            if (counters != null) {
                out.printf(
                        Locale.ROOT,
                        "'slipstream top %d' shows what goes on.%n",
                        ProcessHandle.current().pid());
            }
            out.flush();
            process.ended().get();
            return 0;
        } catch (ExecutionException e) {
            throw Ended.by("member " + member, e);
        }
    }

    private @Nullable String secret() throws IOException {
        Path given = token;
        return given == null ? null : SiteOptions.token(given);
    }

    /**
     * The JVM would exit with the signal's code, though everything ended in order. A state machine that does not come
     * back keeps nobody from stopping the member, which loses nothing.
     */
    private static void stop(
            MemberProcess process, @Nullable HttpGateway gateway, @Nullable Counters counters, PrintWriter out) {
        Thread.ofPlatform().daemon().name("end-limit").start(() -> {
            LockSupport.parkNanos(STOP_LIMIT_NANOS);
            Runtime.getRuntime().halt(1);
        });
        boolean failed = process.ended().isCompletedExceptionally();
        if (gateway != null) {
            // It answers what it has taken while the member still does.
            gateway.close();
        }
        process.close();
        if (counters != null) {
            counters.close();
        }
        out.println("Stopped.");
        out.flush();
        Runtime.getRuntime().halt(failed ? 1 : 0);
    }
}
