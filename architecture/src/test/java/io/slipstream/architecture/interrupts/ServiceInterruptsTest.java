package io.slipstream.architecture.interrupts;

import java.util.Set;

/** As {@link Interrupts} says, of a service, its gateway for HTTP and its backup site. */
class ServiceInterruptsTest extends Interrupts {
    ServiceInterruptsTest() {
        super(WITHOUT_FLAGS, Set.of("service", "http", "replica"));
    }
}
