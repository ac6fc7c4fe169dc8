package io.slipstream.cluster.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.archive.codecs.CatalogHeaderEncoder;
import io.aeron.archive.codecs.RecordingDescriptorEncoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderEncoder;
import io.aeron.archive.codecs.RecordingState;
import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.files.MemberLog;
import io.slipstream.cluster.grid.Grid;
import io.slipstream.cluster.wire.ControlLines;
import io.slipstream.cluster.wire.Seal;
import io.slipstream.cluster.wire.SealedInput;
import io.slipstream.cluster.wire.SealedOutput;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.testkit.CuttingProxy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever happens to a copy, the member has what it had, or all of it. */
class CopyFetchTest {
    private static final String TOKEN = "a token of members";
    private static final int BEFORE_CONTROL = 6;

    @TempDir
    private Path directory;

    @BeforeEach
    void fill() throws IOException {
        for (String part : new String[] {"archive", "cluster"}) {
            Files.createDirectories(directory.resolve(part));
            Files.writeString(directory.resolve(part).resolve("what-was-there"), part);
        }
    }

    @Test
    void beginsAgainWhereverItIsCut() throws IOException {
        Map<String, Long> before = files();
        try (Grid grid = Grid.of(3, Keeping::new);
                ServiceClient client = grid.client().connect()) {
            client.call(new byte[1 << 13]);
            grid.snapshot();
            client.call(new byte[1 << 13]);
            int leader = grid.awaitLeader();
            grid.await("it reaches the majority", () -> grid.member(leader).isReady());
            int cuts = 0;
            try (CuttingProxy proxy =
                    new CuttingProxy(grid.members().get(leader).controlPort(), 1 << 13, 5)) {
                for (int i = 0; i < 20; i++) {
                    cuts += isCut(proxy, before) ? 1 : 0;
                }
                proxy.beGood();
                new CopyFetch(directory, 0).from(behind(proxy.port()), null, () -> {});
            }
            assertThat(cuts).isPositive();
            MemberLog copied = MemberLog.of(directory);
            MemberLog original = MemberLog.of(grid.directory(leader));
            assertThat(copied.terms().lastSnapshot()).isEqualTo(original.terms().lastSnapshot());
            assertThat(copied.end()).isPositive().isLessThanOrEqualTo(original.end());
            assertThat(frames(copied, copied.start(), copied.end()))
                    .isEqualTo(frames(original, copied.start(), copied.end()));
        }
    }

    private boolean isCut(CuttingProxy proxy, Map<String, Long> before) throws IOException {
        try {
            new CopyFetch(directory, 0).from(behind(proxy.port()), null, () -> {});
            return false;
        } catch (IOException e) {
            assertThat(files()).isEqualTo(before);
            return true;
        }
    }

    /** One that was stopped for long says that it leads for a moment when it goes on. */
    @Test
    void sendsNoCopyOfALeaderThatTheMajorityDoesNotFollowAnyMore() throws IOException {
        try (Grid grid = Grid.of(1, Keeping::new);
                ServiceClient client = grid.client().connect()) {
            client.call(new byte[1]);
            MemberLog log = MemberLog.of(grid.directory(0));
            long term = log.terms().last().term();
            for (boolean isFollowed : new boolean[] {false, true}) {
                CopySource.Office office = new CopySource.Office() {
                    @Override
                    public long term() {
                        return term;
                    }

                    @Override
                    public long askForSign() {
                        return 7;
                    }

                    @Override
                    public boolean hasSign(long asked) {
                        return isFollowed && asked == 7;
                    }

                    @Override
                    public long recorded(long recording) throws IOException {
                        return log.end();
                    }
                };
                byte[] key = Seal.key(TOKEN, "", "");
                ByteArrayOutputStream sent = new ByteArrayOutputStream();
                CopySource.send(grid.directory(0), office, sent, key);
                SealedInput in = new SealedInput(new ByteArrayInputStream(sent.toByteArray()), key);
                byte last = 0;
                while (in.next()) {
                    last = in.kind();
                }
                assertThat(last).isEqualTo(isFollowed ? Kind.BYTES : Kind.REFUSED);
            }
        }
    }

    @Test
    void believesNobodyWhoDoesNotKnowTheToken() throws IOException {
        requireRefused(
                "another token",
                new byte[0],
                "does not know the token",
                new Manifest(0, 0, emptyCatalog(), List.of(), List.of()));
    }

    @Test
    void believesNothingThatWasChangedOnItsWay() throws IOException {
        for (int flipped = 0; flipped < 60; flipped += 7) {
            byte[] flips = new byte[200];
            flips[flipped] = 8;
            requireRefused(TOKEN, flips, "", new Manifest(0, 0, emptyCatalog(), List.of(), List.of()));
        }
    }

    @Test
    void doesNotTakeALogThatEndsBeforeItsOwn() throws IOException {
        Map<String, Long> before = files();
        Manifest manifest = new Manifest(0, 1_000, emptyCatalog(), List.of(), List.of());
        try (Peer peer = new Peer(TOKEN, manifest, new byte[0])) {
            assertThatThrownBy(() -> new CopyFetch(directory, 1_001).from(behind(peer.port()), TOKEN, () -> {}))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("ends at 1000, and the one of this member at 1001");
        }
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void endsAtOnceWithTheReasonIfThereIsNoRoom() throws IOException {
        Map<String, Long> before = files();
        List<Piece> pieces = LongStream.range(0, 40_000)
                .mapToObj(number -> new Piece(0, number << 30, 1 << 30, 1 << 30))
                .toList();
        try (Peer peer = new Peer(TOKEN, new Manifest(0, 1L << 50, catalog(), List.of(), pieces), new byte[0])) {
            assertThatThrownBy(() -> new CopyFetch(directory, 0).from(behind(peer.port()), TOKEN, () -> {}))
                    .isInstanceOf(CopyFetch.OwnDiskException.class)
                    .hasMessageContaining("there is room for");
        }
        assertThat(files()).isEqualTo(before);
    }

    /** Has one recording, which is being written. */
    private static byte[] catalog() {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
        new CatalogHeaderEncoder().wrap(buffer, 0).length(32).nextRecordingId(1).alignment(64);
        new RecordingDescriptorHeaderEncoder().wrap(buffer, 32).length(96).state(RecordingState.VALID);
        new RecordingDescriptorEncoder()
                .wrap(buffer, 64)
                .recordingId(0)
                .startPosition(0)
                .stopPosition(-1)
                .segmentFileLength(1 << 30)
                .termBufferLength(1 << 30)
                .strippedChannel("")
                .originalChannel("")
                .sourceIdentity("");
        return buffer.byteArray();
    }

    private void requireRefused(String token, byte[] flips, String why, Manifest manifest) throws IOException {
        Map<String, Long> before = files();
        try (Peer peer = new Peer(token, manifest, flips)) {
            assertThatThrownBy(() -> new CopyFetch(directory, 0).from(behind(peer.port()), TOKEN, () -> {}))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(why);
        }
        assertThat(files()).isEqualTo(before);
    }

    private static byte[] emptyCatalog() {
        byte[] header = new byte[32];
        header[16] = 64;
        return header;
    }

    private static MemberAddress behind(int controlPort) {
        return new MemberAddress(0, "127.0.0.1", controlPort - BEFORE_CONTROL);
    }

    private static String frames(MemberLog log, long from, long to) throws IOException {
        StringBuilder text = new StringBuilder();
        log.frames().read(from, to, (position, frame) -> {
            byte[] bytes = new byte[frame.remaining()];
            frame.get(bytes);
            text.append(position).append(' ').append(Arrays.hashCode(bytes)).append('\n');
        });
        return text.toString();
    }

    private Map<String, Long> files() throws IOException {
        Map<String, Long> sizes = new TreeMap<>();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                sizes.put(directory.relativize(file).toString(), Files.size(file));
            }
        }
        return sizes;
    }

    /** Sends a manifest and nothing else, to whoever asks. */
    private static final class Peer implements AutoCloseable {
        private final ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());

        Peer(@Nullable String token, Manifest manifest, byte[] flips) throws IOException {
            Thread.ofVirtual().start(() -> serve(token, manifest, flips));
        }

        int port() {
            return socket.getLocalPort();
        }

        private void serve(@Nullable String token, Manifest manifest, byte[] flips) {
            try (Socket client = socket.accept()) {
                OutputStream out = client.getOutputStream();
                out.write("00\n".getBytes(StandardCharsets.UTF_8));
                String line = String.valueOf(ControlLines.read(client.getInputStream()));
                out.write("yes\n".getBytes(StandardCharsets.UTF_8));
                ByteArrayOutputStream sent = new ByteArrayOutputStream();
                SealedOutput sealed =
                        new SealedOutput(sent, Seal.key(token, "00", line.substring(line.indexOf(' ') + 1)));
                byte[] bytes = manifest.encode();
                sealed.write(Kind.MANIFEST, bytes, bytes.length);
                sealed.seal();
                byte[] damaged = sent.toByteArray();
                for (int i = 0; i < Math.min(flips.length, damaged.length); i++) {
                    damaged[i] ^= flips[i];
                }
                out.write(damaged);
            } catch (IOException e) {
                // The other side has gone.
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** Keeps the last command, and has a snapshot of many bytes. */
    private static final class Keeping implements StateMachine {
        private byte[] last = {};

        @Override
        public void onCommand(Request command, Output output) {
            last = command.payload();
            output.reply(last);
        }

        @Override
        public void save(StateOutput output) {
            output.writeBytes(last);
        }

        @Override
        public void load(StateInput input, int version) {
            last = input.readBytes();
        }

        @Override
        public long stateHash() {
            return Arrays.hashCode(last);
        }

        @Override
        public void onQuery(Request query, Output output) {
            output.reply(last);
        }

        @Override
        public String name() {
            return "Keeping";
        }
    }
}
