package io.slipstream.cluster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnAddressTest {
    private final OwnAddress own = new OwnAddress(
            new Members(List.of(
                    new MemberAddress(0, "198.51.100.1", 9000),
                    new MemberAddress(1, "198.51.100.1", 9100),
                    new MemberAddress(2, "198.51.100.2", 9000))),
            0,
            "0.0.0.0");

    @Test
    void whatIsMeantForTheMemberItselfGoesWhereItListens() {
        assertThat(own.lookup("198.51.100.1:9003", "endpoint", false)).isEqualTo("0.0.0.0:9003");
        assertThat(own.lookup("198.51.100.1:0", "endpoint", false)).isEqualTo("0.0.0.0:0");
        assertThat(own.lookup("198.51.100.1:41207", "endpoint", false)).isEqualTo("0.0.0.0:41207");
    }

    @Test
    void othersAreWhereTheySay() {
        for (String other : List.of("198.51.100.1:9103", "198.51.100.2:9003", "198.51.100.2:41207", "localhost")) {
            assertThat(own.lookup(other, "endpoint", false)).isEqualTo(other);
        }
    }
}
