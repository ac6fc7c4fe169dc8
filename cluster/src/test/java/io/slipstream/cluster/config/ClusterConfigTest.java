package io.slipstream.cluster.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.service.ServiceConfig;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterConfigTest {
    private static final Members ONE = new Members(List.of(new MemberAddress(0, "127.0.0.1", 9000)));

    @Test
    void hasRoomForTheLongestFrameOfTheService() {
        ServiceConfig service = ServiceConfig.in(Path.of("member"));
        assertThat(ClusterConfig.of(ONE, 0, service).termBytes()).isEqualTo(1 << 22);
        assertThat(termBytes(service, 1 << 18)).isEqualTo(1 << 22);
        assertThat(termBytes(service, (1 << 18) + 8)).isEqualTo(1 << 23);
        assertThat(termBytes(service, 1 << 19)).isEqualTo(1 << 23);
    }

    private static int termBytes(ServiceConfig service, int maxFrameLength) {
        return ClusterConfig.of(ONE, 0, service.withLimits(limits -> limits.withMaxFrameLength(maxFrameLength)))
                .termBytes();
    }
}
