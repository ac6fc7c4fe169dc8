package io.slipstream.service.testing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** A machine whose snapshot is another state is found by any test that goes on for a while. */
class LoadedTwinTest {
    private static void sendMany(TestService<Keeper> service) {
        TestClient client = service.connect();
        for (int i = 1; i <= 500; i++) {
            client.call(new byte[] {(byte) (i % 7)});
        }
    }

    private static void run(Keeper.Mistake mistake) {
        try (TestService<Keeper> service = TestService.of(() -> new Keeper(mistake))) {
            sendMany(service);
        }
    }

    @Test
    void aMachineThatSavesAllIsTheSame() {
        run(Keeper.Mistake.NONE);
    }

    @Test
    void findsWhatChangesTheStateLater() {
        assertThatThrownBy(() -> run(Keeper.Mistake.STATE))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("and loaded goes another way: entry")
                .hasMessageContaining("leads to a state with the hash");
    }

    @Test
    void findsWhatChangesTheAnswersLater() {
        assertThatThrownBy(() -> run(Keeper.Mistake.ANSWER))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("sends otherwise than live");
    }

    @Test
    void findsAStateThatIsLoadedWrong() {
        assertThatThrownBy(() -> run(Keeper.Mistake.LOAD))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("load led to a state with the hash");
    }

    @Test
    void looksAwayWhenToldTo() {
        try (TestService<Keeper> service = TestService.of(() -> new Keeper(Keeper.Mistake.STATE))) {
            sendMany(service.compareLoaded(false));
        }
    }

    /** Adds bytes up. It also counts commands, which matters for every hundredth alone. */
    private static final class Keeper implements StateMachine {
        enum Mistake {
            NONE,
            STATE,
            ANSWER,
            LOAD
        }

        private final Mistake mistake;
        private long sum;
        private int count;

        Keeper(Mistake mistake) {
            this.mistake = mistake;
        }

        @Override
        public void onCommand(Request command, Output output) {
            sum += command.memory().get(ValueLayout.JAVA_BYTE, command.offset());
            count++;
            boolean isHundredth = count % 100 == 0;
            if (isHundredth && mistake != Mistake.ANSWER) {
                sum *= 31;
            }
            output.reply(new byte[] {(byte) (isHundredth ? 1 : 0)});
        }

        @Override
        public long stateHash() {
            return sum;
        }

        @Override
        public void save(StateOutput output) {
            output.writeLong(mistake == Mistake.LOAD ? sum + 1 : sum);
            output.writeInt(mistake == Mistake.NONE || mistake == Mistake.LOAD ? count : 0);
        }

        @Override
        public void load(StateInput input, int version) {
            sum = input.readLong();
            count = input.readInt();
        }
    }
}
