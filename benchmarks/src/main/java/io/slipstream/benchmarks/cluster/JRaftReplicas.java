package io.slipstream.benchmarks.cluster;

import com.alipay.sofa.jraft.Iterator;
import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.RaftGroupService;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.core.StateMachineAdapter;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.entity.Task;
import com.alipay.sofa.jraft.option.NodeOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** SOFAJRaft with a machine that counts. It has no client of its own: commands are given to the leader's node. */
final class JRaftReplicas extends FutureReplicas {
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final List<RaftGroupService> groups = new ArrayList<>();
    private final Node leader;

    JRaftReplicas(boolean forced) throws IOException {
        super(Folders.create());
        int port = Folders.ports(3);
        Configuration all = new Configuration();
        for (int id = 0; id < 3; id++) {
            all.addPeer(new PeerId("127.0.0.1", port + id));
        }
        for (int id = 0; id < 3; id++) {
            Path own = Files.createDirectory(folder().resolve("member-" + id));
            NodeOptions options = new NodeOptions();
            options.setFsm(new Counter());
            options.setLogUri(own.resolve("log").toString());
            options.setRaftMetaUri(own.resolve("meta").toString());
            options.setInitialConf(all);
            options.getRaftOptions().setSync(forced);
            RaftGroupService group = new RaftGroupService("counter", new PeerId("127.0.0.1", port + id), options);
            group.start();
            groups.add(group);
        }
        leader = awaitLeader();
    }

    private Node awaitLeader() throws IOException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (System.nanoTime() - deadline < 0) {
            for (RaftGroupService group : groups) {
                if (group.getRaftNode().isLeader()) {
                    return group.getRaftNode();
                }
            }
            LockSupport.parkNanos(1_000_000);
        }
        throw new IOException("JRaft has no leader after a minute");
    }

    @Override
    CompletableFuture<?> send() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        leader.apply(new Task(ByteBuffer.allocate(COMMAND_BYTES), status -> {
            if (status.isOk()) {
                answer.complete(true);
            } else {
                answer.completeExceptionally(new IOException(status.toString()));
            }
        }));
        return answer;
    }

    @Override
    void end() throws IOException {
        groups.forEach(RaftGroupService::shutdown);
        try {
            for (RaftGroupService group : groups) {
                group.join();
            }
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    private static final class Counter extends StateMachineAdapter {
        private long count;

        @Override
        public void onApply(Iterator entries) {
            while (entries.hasNext()) {
                count++;
                if (entries.done() != null) {
                    entries.done().run(Status.OK());
                }
                entries.next();
            }
        }
    }
}
