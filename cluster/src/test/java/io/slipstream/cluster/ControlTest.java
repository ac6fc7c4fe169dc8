package io.slipstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.control.ControlClient;
import io.slipstream.cluster.control.MemberProcess;
import io.slipstream.cluster.control.Report;
import io.slipstream.cluster.grid.Grid;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.ServiceClient;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ControlTest {
    @Test
    void asksAMemberAndLetsItStepDown() throws IOException {
        try (Grid grid = Grid.of(2, Sum::new)) {
            // The third of two would be refused, so the second one is replaced by a process.
            grid.stop(1);
            ClusterConfig config = ClusterConfig.of(
                            grid.members(),
                            1,
                            ServiceConfig.in(grid.directory(1)).withRings(1 << 20, 1 << 20))
                    .withTermBytes(1 << 18);
            try (MemberProcess process = MemberProcess.start(config, Sum::new);
                    ServiceClient client = grid.client().connect()) {
                long sequence = client.call(Sum.bytes(3)).sequence();
                MemberAddress address = grid.members().get(1);
                grid.await("the member applies it", () -> process.member().applied() >= sequence);
                Report report = ControlClient.status(address);
                assertThat(report.member()).isEqualTo(1);
                assertThat(report.stateHash()).isEqualTo(grid.state(0).stateHash());
                if (report.leads()) {
                    ControlClient.transfer(address);
                } else {
                    assertThatThrownBy(() -> ControlClient.transfer(address))
                            .isInstanceOf(IOException.class)
                            .hasMessageContaining("it is not the leader");
                }
                assertThat(Sum.number(client.call(Sum.bytes(4)).payload())).isEqualTo(7);
            }
        }
    }

    @Test
    void saysOfAMemberThatDoesNotRunThatItDoesNot() {
        assertThatThrownBy(() -> ControlClient.status(new MemberAddress(2, "127.0.0.1", 11_990)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("member 2 at 127.0.0.1:11996 does not run");
    }
}
