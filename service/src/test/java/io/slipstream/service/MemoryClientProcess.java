package io.slipstream.service;

import io.slipstream.service.client.ServiceClient;
import java.nio.file.Path;

/** A client through shared memory in a process of its own, to be killed: {@code MemoryClientProcess door}. */
final class MemoryClientProcess {
    private MemoryClientProcess() {}

    /** Sends until it is killed. */
    static void main(String[] args) throws Exception {
        ServiceClient client = ServiceClient.builder(Path.of(args[0])).connect();
        client.call(LedgerMachine.payload(0));
        System.out.println("ready");
        while (client.isOpen()) {
            client.send(LedgerMachine.payload(0));
        }
    }
}
