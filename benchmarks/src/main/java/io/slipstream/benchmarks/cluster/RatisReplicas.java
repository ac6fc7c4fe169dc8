package io.slipstream.benchmarks.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/** Apache Ratis with a machine that counts; its client comes over gRPC. */
final class RatisReplicas extends FutureReplicas {
    private static final int MOST_IN_FLIGHT = 256;

    private final Message command = Message.valueOf(ByteString.copyFrom(new byte[COMMAND_BYTES]));
    private final List<RaftServer> servers = new ArrayList<>();
    private final RaftClient client;

    RatisReplicas(boolean forced) throws IOException {
        super(Folders.create());
        int port = Folders.ports(3);
        List<RaftPeer> peers = new ArrayList<>();
        for (int id = 0; id < 3; id++) {
            peers.add(RaftPeer.newBuilder()
                    .setId("member-" + id)
                    .setAddress("127.0.0.1:" + (port + id))
                    .build());
        }
        RaftGroup group = RaftGroup.valueOf(RaftGroupId.randomId(), peers);
        for (int id = 0; id < 3; id++) {
            RaftProperties properties = new RaftProperties();
            GrpcConfigKeys.Server.setPort(properties, port + id);
            RaftServerConfigKeys.setStorageDir(
                    properties, List.of(folder().resolve("member-" + id).toFile()));
            RaftServerConfigKeys.Log.setUseMemory(properties, !forced);
            RaftServer server = RaftServer.newBuilder()
                    .setServerId(peers.get(id).getId())
                    .setGroup(group)
                    .setProperties(properties)
                    .setStateMachine(new Counter())
                    .build();
            server.start();
            servers.add(server);
        }
        RaftProperties properties = new RaftProperties();
        RaftClientConfigKeys.Async.setOutstandingRequestsMax(properties, MOST_IN_FLIGHT);
        client = RaftClient.newBuilder()
                .setProperties(properties)
                .setRaftGroup(group)
                .build();
        // Waits for a leader, and finds it.
        client.io().send(command);
    }

    @Override
    CompletableFuture<?> send() {
        return client.async().send(command);
    }

    @Override
    void end() throws IOException {
        client.close();
        for (RaftServer server : servers) {
            server.close();
        }
    }

    private static final class Counter extends BaseStateMachine {
        private long count;

        @Override
        public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
            count++;
            updateLastAppliedTermIndex(
                    transaction.getLogEntry().getTerm(),
                    transaction.getLogEntry().getIndex());
            return CompletableFuture.completedFuture(Message.EMPTY);
        }
    }
}
