package io.slipstream.benchmarks.ipc;

import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import java.nio.file.Path;
import java.time.Duration;

/** A service at level PROCESS that answers with what it got, by TCP and by shared memory, until its input ends. */
final class ServiceProcess {
    private ServiceProcess() {}

    /** Arguments: folder, whether it spins. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        ServiceConfig config = ServiceConfig.in(folder.resolve("journal"))
                .withSharedMemory(folder.resolve("s.ipc"))
                .withJournal(JournalConfig.at(Durability.PROCESS))
                .withMaxResponseTime(Duration.ofSeconds(10))
                .withWaiting(waiting(Boolean.parseBoolean(arguments[1])));
        try (Service service = Service.start(config, new Echo())) {
            System.out.println("ready " + service.port());
            System.in.read();
        }
    }

    static WaitStrategy waiting(boolean spins) {
        return spins ? WaitStrategy.busySpin() : WaitStrategy.parking();
    }

    private static final class Echo implements StateMachine {
        @Override
        public void onCommand(Request command, Output output) {
            output.reply(command.memory(), command.offset(), command.length());
        }

        @Override
        public long stateHash() {
            return 0;
        }
    }
}
