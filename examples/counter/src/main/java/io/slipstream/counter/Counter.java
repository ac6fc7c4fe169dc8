package io.slipstream.counter;

import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Command;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.StateMachine;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Counts commands, and answers each with the count. What it has answered survives kill -9 and power loss. */
class Counter implements StateMachine {
    private long count;

    @Override
    public void onCommand(Command command, Output output) {
        count++;
        output.reply(("command number " + count).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public long stateHash() {
        return count;
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments.length == 0 ? "counter-data" : arguments[0]);
        try (Service service = Service.start(ServiceConfig.in(folder), new Counter());
             ServiceClient client = ServiceClient.connect("127.0.0.1", service.port())) {
            byte[] answer = client.call("hello".getBytes(StandardCharsets.UTF_8)).payload();
            System.out.println(new String(answer, StandardCharsets.UTF_8));
        }
    }
}
