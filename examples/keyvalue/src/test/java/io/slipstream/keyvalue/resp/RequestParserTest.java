package io.slipstream.keyvalue.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Requests that come in pieces, each time at another place. */
class RequestParserTest {
    private final Random random = new Random(7);
    private final RequestParser parser = new RequestParser(1 << 20);
    private final Words words = new Words();

    private static byte[] request(List<String> of) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(("*" + of.size() + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (String word : of) {
            bytes.writeBytes(("$" + word.length() + "\r\n" + word + "\r\n").getBytes(StandardCharsets.US_ASCII));
        }
        return bytes.toByteArray();
    }

    private List<String> some(int count) {
        List<String> some = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            some.add("w" + "x".repeat(random.nextInt(40)) + i);
        }
        return some;
    }

    private List<String> found() {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < words.count(); i++) {
            found.add(words.text(i));
        }
        return found;
    }

    /** Gives the first bytes of a request, at a place of their own. */
    private int parse(byte[] request, int length) {
        int at = random.nextInt(100);
        byte[] memory = new byte[at + length];
        System.arraycopy(request, 0, memory, at, length);
        return parser.parse(MemorySegment.ofArray(memory), at, length, words);
    }

    @Test
    void saysHowLongAWordMayBeThatIsTooLong() {
        byte[] request = "*1\r\n$1048577\r\n".getBytes(StandardCharsets.US_ASCII);
        assertThatThrownBy(() -> parse(request, request.length))
                .hasMessageContaining("invalid bulk length 1048577: at most 1048576 bytes are read here")
                .hasMessageContaining("--max-value");
        byte[] nonsense = "*1\r\n$-7\r\n".getBytes(StandardCharsets.US_ASCII);
        assertThatThrownBy(() ->
                        new RequestParser(1 << 20).parse(MemorySegment.ofArray(nonsense), 0, nonsense.length, words))
                .hasMessage("ERR Protocol error: invalid bulk length");
    }

    @Test
    void findsTheWordsWhereverARequestIsCut() {
        for (int round = 0; round < 50; round++) {
            List<String> of = some(1 + random.nextInt(8));
            byte[] request = request(of);
            for (int length = 1; length < request.length; length += 1 + random.nextInt(9)) {
                assertThat(parse(request, length)).isEqualTo(RequestParser.INCOMPLETE);
            }
            assertThat(parse(request, request.length)).isEqualTo(request.length);
            assertThat(found()).isEqualTo(of);
        }
    }

    /** What was looked at is overwritten before the rest comes: it would be no request any more. */
    @Test
    void looksAtNoWordTwice() {
        List<String> of = some(1_000);
        byte[] request = request(of);
        byte[] shown = request.clone();
        int hidden = 0;
        for (int length = 1; length < request.length; length += 1 + random.nextInt(500)) {
            assertThat(parse(shown, length)).isEqualTo(RequestParser.INCOMPLETE);
            int last = words.count() - 1;
            for (int end = last < 0 ? 0 : wordsEnd(of, last); hidden < end; hidden++) {
                shown[hidden] = '?';
            }
        }
        assertThat(parse(shown, request.length)).isEqualTo(request.length);
        assertThat(words.count()).isEqualTo(of.size());
        assertThat(words.text(of.size() - 1)).isEqualTo(of.getLast());
    }

    private static int wordsEnd(List<String> of, int last) {
        int header = ("*" + of.size() + "\r\n").length();
        return header + request(of.subList(0, last + 1)).length - ("*" + (last + 1) + "\r\n").length();
    }

    @Test
    void beginsAnewBehindAnError() {
        byte[] broken = "*2\r\n$1\r\na\r\n!".getBytes(StandardCharsets.US_ASCII);
        assertThat(parse(broken, broken.length - 1)).isEqualTo(RequestParser.INCOMPLETE);
        for (int i = 0; i < 2; i++) {
            try {
                parse(broken, broken.length);
                throw new AssertionError("the error was not seen");
            } catch (RedisError e) {
                assertThat(e.text()).contains("expected '$', got '!'");
            }
        }
        byte[] request = request(List.of("GET", "a"));
        assertThat(parse(request, request.length)).isEqualTo(request.length);
        assertThat(found()).containsExactly("GET", "a");
    }
}
