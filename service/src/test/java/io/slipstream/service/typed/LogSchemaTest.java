package io.slipstream.service.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.annotation.Since;
import io.slipstream.data.codec.Codec;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.ServiceEvents;
import io.slipstream.service.TestClients;
import io.slipstream.service.logic.WrongLogException;
import io.slipstream.service.protocol.SchemaFile;
import io.slipstream.service.typed.PayVersions.First;
import io.slipstream.service.typed.PayVersions.Later;
import io.slipstream.service.typed.PayVersions.Refund;
import io.slipstream.service.typed.PayVersions.Turned;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine whose records would misread the commands of a log does not get it. */
class LogSchemaTest {
    @TempDir
    Path directory;

    private final List<String> warnings = new CopyOnWriteArrayList<>();

    private interface Other {
        record Pay(long account, First.Side side, @Since(2) int cents) implements Command<Done> {}
    }

    record Charge(long account) implements Command<Done> {}

    private static final class Payments extends TypedMachine {
        Payments(Class<? extends Command<Done>> command) {
            this(List.of(command));
        }

        Payments(List<Class<? extends Command<Done>>> commands) {
            super(contract(commands));
            for (Class<? extends Command<Done>> command : commands) {
                on(command, (value, context) -> Done.DONE);
            }
        }

        private static Contract contract(List<Class<? extends Command<Done>>> commands) {
            Contract.Builder contract = Contract.named("payments", MethodHandles.lookup());
            for (Class<? extends Command<Done>> command : commands) {
                contract.commands(command);
            }
            return contract.build();
        }

        @Override
        public long stateHash() {
            return 0;
        }
    }

    @Test
    void refusesWhatAFingerprintCannotTellAndTouchesNothing() throws Exception {
        serve(new Payments(First.Pay.class), new First.Pay(7, First.Side.BUY));
        assertThat(Codec.of(Turned.Pay.class, MethodHandles.lookup())
                        .schema()
                        .definition()
                        .header())
                .isEqualTo(Codec.of(First.Pay.class, MethodHandles.lookup())
                        .schema()
                        .definition()
                        .header());
        Map<String, Long> before = files();
        assertThatThrownBy(() -> Service.start(config(), new Payments(Turned.Pay.class)))
                .isInstanceOf(WrongLogException.class)
                .hasMessageContaining("Side: its constants were [BUY, SELL]")
                .hasMessageContaining("remove " + directory.resolve("commands.schema"));
        assertThatThrownBy(() -> Service.replay(config(), new Payments(Turned.Pay.class)))
                .isInstanceOf(WrongLogException.class);
        assertThat(files()).isEqualTo(before);
        serve(new Payments(List.of(First.Pay.class, Refund.class)), new Refund(7));
        Files.delete(directory.resolve("commands.schema"));
        serve(new Payments(List.of(Turned.Pay.class, Refund.class)), new Refund(7));
        assertThat(warnings).isEmpty();
    }

    @Test
    void saysThatALogWithoutAnyCommandOfTheMachineIsProbablyAnothers() throws Exception {
        serve(new Payments(First.Pay.class), new First.Pay(7, First.Side.BUY));
        Map<String, Long> before = files();
        assertThatThrownBy(() -> Service.start(config(), new Payments(Refund.class)))
                .isInstanceOf(WrongLogException.class)
                .hasMessageContaining("another machine: this one has none of its commands (Pay)")
                .hasMessageContaining("Give it a folder of its own");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void saysWhatIsGoneWhereOtherCommandsAreStillThere() throws Exception {
        serve(new Payments(List.of(First.Pay.class, Refund.class)), new Refund(7));
        assertThatThrownBy(() -> Service.start(config(), new Payments(List.of(Refund.class, Charge.class))))
                .isInstanceOf(WrongLogException.class)
                .hasMessageContaining("Pay: is gone");
    }

    @Test
    void goesBackToAnEarlierVersionAndKeepsTheLaterDefinitions() throws Exception {
        serve(new Payments(First.Pay.class), new First.Pay(7, First.Side.BUY));
        serve(new Payments(Later.Pay.class), new Later.Pay(7, First.Side.SELL, "USD"));
        String later = String.valueOf(SchemaFile.read(directory));
        assertThat(later).contains("currency since 2 default \"EUR\"");
        serve(new Payments(First.Pay.class), new First.Pay(8, First.Side.BUY));
        assertThat(SchemaFile.read(directory)).isEqualTo(later);
        assertThatThrownBy(() -> Service.start(config(), new Payments(Other.Pay.class)))
                .isInstanceOf(WrongLogException.class)
                .hasMessageContaining("Pay.currency");
        serve(new Payments(Later.Pay.class), new Later.Pay(9, First.Side.SELL, "USD"));
    }

    @Test
    void servesWithAFileThatCannotBeReadAndSaysSo() throws Exception {
        serve(new Payments(First.Pay.class), new First.Pay(7, First.Side.BUY));
        String written = String.valueOf(SchemaFile.read(directory));
        Files.writeString(directory.resolve("commands.schema"), "what is this");
        serve(new Payments(First.Pay.class), new First.Pay(7, First.Side.BUY));
        assertThat(warnings).singleElement().asString().contains("not compared", "commands.schema");
        assertThat(SchemaFile.read(directory)).isEqualTo(written);
    }

    private void serve(Payments machine, Command<Done> command) throws IOException {
        try (Service service = Service.start(config(), machine);
                TypedClient client = TypedClient.of(machine.contract()).connect(TestClients.builder(service.port()))) {
            assertThat(client.call(command)).isEqualTo(Done.DONE);
        }
    }

    private Map<String, Long> files() throws IOException {
        Map<String, Long> files = new TreeMap<>();
        try (Stream<Path> all = Files.list(directory)) {
            for (Path file : all.toList()) {
                files.put(
                        file.getFileName().toString(),
                        Files.getLastModifiedTime(file).toMillis());
            }
        }
        return files;
    }

    private ServiceConfig config() {
        return PayVersions.config(directory).withEvents(new ServiceEvents() {
            @Override
            public void onWarning(String message) {
                warnings.add(message);
            }
        });
    }
}
