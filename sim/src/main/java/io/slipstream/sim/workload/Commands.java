package io.slipstream.sim.workload;

import io.slipstream.service.typed.Command;
import io.slipstream.service.typed.Contract;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Makes up what the clients of a simulation send. */
@FunctionalInterface
public interface Commands {
    /** Returns the payload of another command; all chance must come from {@code random}. */
    byte[] next(RandomGenerator random);

    /** Makes up commands of a contract, for a typed machine. */
    static Commands typed(Contract contract, Function<? super RandomGenerator, ? extends Command<?>> commands) {
        return random -> bytes(contract, commands.apply(random));
    }

    @SuppressWarnings("unchecked")
    private static <C> byte[] bytes(Contract contract, C command) {
        return contract.operation((Class<C>) command.getClass()).codec().toBytes(command);
    }
}
