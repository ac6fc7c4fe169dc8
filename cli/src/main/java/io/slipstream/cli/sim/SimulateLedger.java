package io.slipstream.cli.sim;

import io.slipstream.ledger.Ledger;
import io.slipstream.ledger.OpenAccount;
import io.slipstream.ledger.Submit;
import io.slipstream.ledger.Transfer;
import io.slipstream.service.typed.Command;
import io.slipstream.sim.service.Simulation;
import io.slipstream.sim.workload.Commands;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import picocli.CommandLine;

/** {@code slipstream sim ledger}. */
@CommandLine.Command(
        name = "ledger",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the ledger with its clients on simulated disks, clocks and networks that fail.",
            "A life that breaks a promise is printed with its seed and what had to go wrong; --runs 1 with that seed "
                    + "plays it again, and --trace shows every event."
        })
final class SimulateLedger extends SimulateLives {
    private static final int ACCOUNTS = 6;
    private static final int TRANSFERS = 200;

    @Override
    Simulation<?> simulation() {
        return Simulation.of(Ledger::new, Commands.typed(Ledger.CONTRACT, SimulateLedger::random))
                .topics(1, 2)
                .invariant(Ledger::requireBalance);
    }

    private static Command<?> random(RandomGenerator random) {
        if (random.nextInt(8) == 0) {
            return new OpenAccount(1 + random.nextInt(ACCOUNTS), random.nextInt(3) > 0);
        }
        List<Transfer> transfers = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            transfers.add(transfer(random));
        }
        return new Submit(transfers);
    }

    private static Transfer transfer(RandomGenerator random) {
        long id = 1 + random.nextInt(TRANSFERS);
        long debit = 1 + random.nextInt(ACCOUNTS);
        long credit = 1 + random.nextInt(ACCOUNTS);
        long amount = random.nextInt(100);
        return switch (random.nextInt(5)) {
            case 0, 1 -> Transfer.pay(id, debit, credit, amount);
            case 2 -> Transfer.pending(id, debit, credit, amount, random.nextInt(4));
            case 3 -> Transfer.post(id, 1 + random.nextInt(TRANSFERS));
            default -> Transfer.voided(id, 1 + random.nextInt(TRANSFERS));
        };
    }
}
