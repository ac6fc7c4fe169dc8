package io.slipstream.cluster;

import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.Joining;
import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.control.MemberProcess;
import io.slipstream.service.ServiceConfig;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One member in a process of its own, to be killed: {@code members-file id folder joining}. It ends with its input. */
final class MemberMain {
    private static final String READY = "ready";

    private MemberMain() {}

    static void main(String[] args) throws Exception {
        int id = Integer.parseInt(args[1]);
        ServiceConfig service = ServiceConfig.in(Path.of(args[2]))
                .withMaxResponseTime(Await.RESPONSE)
                .withLimits(limits -> limits.withRings(1 << 20, 1 << 20));
        ClusterConfig config = ClusterConfig.of(Members.load(Path.of(args[0])), id, service)
                .withTermBytes(1 << 18)
                .withJoining(Joining.valueOf(args[3]))
                .withSnapshotLogBytes(1 << 23);
        try (MemberProcess process = MemberProcess.start(config, Marks::new)) {
            System.out.println(READY);
            process.ended().exceptionally(cause -> {
                System.out.println("ended: " + cause);
                Runtime.getRuntime().halt(3);
                return null;
            });
            while (System.in.read() >= 0) {
                // Nothing is said to it.
            }
        }
        System.exit(0);
    }

    /** Starts a member, which forms the cluster if its folder is empty, and waits until it takes part. */
    static Process start(Path members, int id, Path folder) throws IOException {
        Joining joining = Files.exists(folder.resolve("member.mark")) ? Joining.AGAIN : Joining.FORM;
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        ChildJvm.classPath(),
                        MemberMain.class.getName(),
                        members.toString(),
                        Integer.toString(id),
                        folder.toString(),
                        joining.toString()))
                .redirectError(folder.resolveSibling("member-" + id + ".err").toFile())
                .start();
        String said = process.inputReader().readLine();
        if (!READY.equals(said)) {
            throw new IOException("member " + id + " did not start; it said " + said);
        }
        return process;
    }
}
