package io.slipstream.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class CrewTest {

    @Test
    void runsEveryMemberOnceAndRemembersTheLargestCrew() throws Exception {
        Set<Integer> members = ConcurrentHashMap.newKeySet();
        Crew.run(5, members::add);
        assertThat(members).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
        assertThat(Crew.largest()).isGreaterThanOrEqualTo(5);
    }

    @Test
    void moreMembersThanProcessorsRunUnpinnedAndThatIsNoted() throws Exception {
        int tooMany = Pinning.cpus() + 1;
        Set<Integer> members = ConcurrentHashMap.newKeySet();
        Crew.runPinned(tooMany, members::add);
        assertThat(members).hasSize(tooMany);
        assertThat(Pinning.failure()).isEqualTo(tooMany + " threads, and only " + Pinning.cpus() + " processors");
    }
}
