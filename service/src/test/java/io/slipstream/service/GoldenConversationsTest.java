package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The conversations that any client in any language can be tested with, held with the service itself. */
class GoldenConversationsTest {
    @TempDir
    Path directory;

    /** One after the other, since they say how many commands came before. */
    @TestFactory
    List<DynamicTest> theServiceAnswersAsWritten() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        List<String> lines = Files.readAllLines(Path.of("..", "docs", "protocol", "golden.txt"));
        Service service = Service.start(
                ServiceConfig.in(directory)
                        .withMaxResponseTime(Await.RESPONSE)
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20)),
                new LedgerMachine());
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("## ")) {
                int end = i + 1;
                while (end < lines.size() && !lines.get(end).startsWith("## ")) {
                    end++;
                }
                List<String> conversation = lines.subList(i + 1, end);
                tests.add(DynamicTest.dynamicTest(lines.get(i).substring(3), () -> hold(conversation, service.port())));
            }
        }
        tests.add(DynamicTest.dynamicTest("and it closes in order", service::close));
        return tests;
    }

    private static void hold(List<String> lines, int port) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                StringBuilder hex = new StringBuilder(line.replaceFirst("^[<>]!? ", ""));
                while (i + 1 < lines.size() && lines.get(i + 1).startsWith("  ")) {
                    hex.append(' ').append(lines.get(++i).strip());
                }
                if (line.startsWith("> ")) {
                    socket.getOutputStream().write(bytes(hex.toString()));
                } else if (line.equals("< closed")) {
                    assertThat(socket.getInputStream().read()).isEqualTo(-1);
                } else if (line.startsWith("<")) {
                    expect(socket.getInputStream(), hex.toString().split(" "), line.startsWith("<! "));
                }
            }
        }
    }

    private static void expect(InputStream in, String[] hex, boolean prefix) throws IOException {
        byte[] got = in.readNBytes(hex.length);
        for (int i = 0; i < hex.length; i++) {
            if (!hex[i].equals("??")) {
                assertThat(String.format("%02x", got[i])).as("byte %d", i).isEqualTo(hex[i]);
            }
        }
        if (prefix) {
            in.skipNBytes(Frame.align(Frame.length(MemorySegment.ofArray(got), 0)) - hex.length);
        }
    }

    private static byte[] bytes(String hex) {
        String[] each = hex.split(" ");
        byte[] bytes = new byte[each.length];
        for (int i = 0; i < each.length; i++) {
            bytes[i] = (byte) Integer.parseInt(each[i], 16);
        }
        return bytes;
    }
}
