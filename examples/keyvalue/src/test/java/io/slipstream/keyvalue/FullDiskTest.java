package io.slipstream.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store whose log gets no further segment, since other files are in the way, is as one whose disk is full. */
class FullDiskTest {
    private static final String FILE = "segment-%016d.journal";
    private static final String LARGE = "x".repeat(200_000);

    @TempDir
    Path folder;

    private final List<Path> inTheWay = new ArrayList<>();

    @Test
    void aClientThatConnectsMeanwhileCanReadAndIsToldWhyItCannotWrite() throws Exception {
        RespProtocol protocol = new RespProtocol();
        try (Service service = Service.start(
                        ServiceConfig.in(folder)
                                .withAddress(new InetSocketAddress("127.0.0.1", 0))
                                .withProtocol(protocol, new InetSocketAddress("127.0.0.1", 0))
                                .withMaxResponseTime(Await.RESPONSE)
                                .withLimits(limits -> limits.withMaxFrameLength(1 << 19))
                                .withJournal(
                                        JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 22)),
                        new KeyValueStore());
                RespClient writer = new RespClient(new Socket("127.0.0.1", service.port(protocol)))) {
            writer.call("SET", "key", "value");
            writer.call("SET", "large", LARGE);
            fill();
            Await.until("the log is full", () -> isBusy(writer.call("SET", "filling", LARGE)));
            try (RespClient reader = new RespClient(new Socket("127.0.0.1", service.port(protocol)))) {
                assertThat(reader.call("GET", "key")).isEqualTo("value");
                reader.write("GET", "large");
                reader.write("SET", "key", "other");
                reader.write("PING");
                reader.write("MGET", "key", "large");
                reader.write("BLPOP", "list", "0");
                reader.write("STRLEN", "large");
                reader.flush();
                assertThat((String) reader.read()).hasSize(200_000);
                assertThat(isBusy(reader.read())).isTrue();
                assertThat(reader.read()).isEqualTo("+PONG");
                assertThat(reader.read().toString()).startsWith("[value, xxx");
                assertThat(isBusy(reader.read())).isTrue();
                assertThat(reader.read()).isEqualTo(200_000L);
                makeRoom();
                Await.until("it may write", () -> "+OK".equals(reader.call("SET", "key", "other")));
                assertThat(reader.call("GET", "key")).isEqualTo("other");
                assertThat(writer.call("GET", "key")).isEqualTo("other");
            }
        }
    }

    private static boolean isBusy(Object answer) {
        return answer.toString().startsWith("-BUSY ");
    }

    private void fill() {
        for (int number = 1; number < 200; number++) {
            Path unfinished = folder.resolve(String.format(Locale.ROOT, FILE, number) + ".tmp");
            try {
                inTheWay.add(Files.createFile(Files.createDirectory(unfinished).resolve("file")));
            } catch (IOException e) {
                // This segment is being made already.
            }
        }
    }

    private void makeRoom() throws IOException {
        for (Path file : inTheWay) {
            Files.delete(file);
            Files.delete(file.getParent());
        }
    }
}
