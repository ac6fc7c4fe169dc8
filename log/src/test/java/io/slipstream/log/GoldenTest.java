package io.slipstream.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.data.text.TextBuffer;
import io.slipstream.log.event.Arguments;
import io.slipstream.log.event.Event;
import io.slipstream.log.event.EventLayout;
import io.slipstream.log.event.Level;
import io.slipstream.log.event.Site;
import io.slipstream.log.layout.Layout;
import io.slipstream.log.layout.Statement;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Events as bytes and as text, letter by letter: neither may change unseen. */
class GoldenTest {
    private static final long NANOS = 1_795_406_706_123_456_789L;
    private static final Site SITE = new Site(3, Level.WARN, "com.acme.Orders", "order {} at {} by \"{}\" {}");
    private static final Object[] VALUES = {
        7,
        1.5,
        "B\u00fclow\n",
        'x',
        Arguments.key("user id"),
        "u 1",
        Arguments.key("done"),
        true,
        Arguments.key("nothing")
    };

    private final MemorySegment memory = Arena.ofAuto().allocate(512, 16);

    private int write(@Nullable Object... values) {
        int size = 0;
        for (Object value : values) {
            size += Arguments.size(Arguments.prepared(Arguments.kind(value)));
        }
        int length = EventLayout.ARGUMENTS_OFFSET + size;
        EventLayout.begin(memory, 0, length, NANOS, SITE.id(), 42);
        long at = EventLayout.ARGUMENTS_OFFSET;
        for (Object value : values) {
            at = Arguments.write(memory, at, length, Arguments.prepared(Arguments.kind(value)), Arguments.bits(value));
        }
        EventLayout.stamp(memory, 0, 4096);
        return length;
    }

    private String text(String format, String pattern) {
        int length = write(
                VALUES[0], VALUES[1], VALUES[2], VALUES[3], VALUES[4], VALUES[5], VALUES[6], VALUES[7], VALUES[8],
                null);
        TextBuffer text = new TextBuffer(256);
        Layout.of(format, pattern)
                .append(
                        new Event().wrap(memory, 0, length),
                        new Statement(SITE),
                        "main".getBytes(StandardCharsets.UTF_8),
                        text);
        return text.toString();
    }

    @Test
    void anEventIsTheseBytes() {
        int length = write(7, 1.5, "ab", "\u00fc", true, null, 1.5f, 'x');
        byte[] bytes = memory.asSlice(EventLayout.STAMP_OFFSET, length - EventLayout.STAMP_OFFSET)
                .toArray(ValueLayout.JAVA_BYTE);
        assertThat(Frame.HEADER_BYTES).isEqualTo(8);
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("ffefffffffffffff" + "15c1d701e390ea18" + "03000000"
                        + "2a000000" + "020700000000000000" + "03000000000000f83f" + "07020000006162" + "0801000000fc00"
                        + "0501" + "01" + "040000c03f" + "067800");
    }

    @Test
    void aPatternIsThisLine() {
        assertThat(text("pattern", "%d %-5p [%6t] %c - %m {%k}%n%%|"))
                .isEqualTo("2026-11-23T04:05:06.123456789Z WARN  [  main] com.acme.Orders - order 7 at 1.5 by"
                        + " \"B\u00fclow\n\" x {user id=u 1 done=true nothing=null}\n%|");
    }

    /** Of the same second, of another, and from before 1970. */
    @Test
    void timesAreThoseOfInstant() {
        Layout layout = Layout.of("pattern", "%d");
        for (long nanos : new long[] {
            NANOS,
            NANOS + 1,
            NANOS - 123_456_789,
            NANOS + 876_543_210,
            NANOS + 876_543_211,
            0,
            -1,
            -1_000_000_000,
            NANOS
        }) {
            int length = write(1);
            EventLayout.begin(memory, 0, length, nanos, SITE.id(), 42);
            TextBuffer text = new TextBuffer(64);
            layout.append(new Event().wrap(memory, 0, length), new Statement(SITE), new byte[0], text);
            assertThat(text.toString())
                    .isEqualTo(new TextBuffer(64).appendInstant(nanos).toString());
        }
    }

    @Test
    void theCaseOfAFormatDoesNotMatter() {
        assertThat(text("JSON", "")).isEqualTo(text("json", ""));
    }

    @Test
    void jsonIsThisLine() {
        assertThat(text("json", ""))
                .isEqualTo("{\"time\":\"2026-11-23T04:05:06.123456789Z\",\"level\":\"WARN\","
                        + "\"thread\":\"main\",\"logger\":\"com.acme.Orders\",\"message\":\"order 7 at 1.5 by"
                        + " \\\"B\u00fclow\\n\\\" x\",\"user id\":\"u 1\",\"done\":true,\"nothing\":null}\n");
    }

    /** Parsers of JSON take the last of two. */
    @Test
    void noKeyStandsForALevelOrAMessage() {
        int length =
                write(Arguments.key("level"), "spoof", Arguments.key("_message"), "spoof", Arguments.key("levels"), 1);
        for (String format : new String[] {"json", "logfmt"}) {
            TextBuffer text = new TextBuffer(256);
            Layout.of(format, "")
                    .append(
                            new Event().wrap(memory, 0, length),
                            new Statement(new Site(3, Level.WARN, "a", "m")),
                            new byte[] {'t'},
                            text);
            assertThat(text.toString())
                    .endsWith(
                            format.equals("json")
                                    ? "\"message\":\"m\",\"_level\":\"spoof\",\"__message\":\"spoof\",\"levels\":1}\n"
                                    : " msg=m _level=spoof _message=spoof levels=1\n");
        }
    }

    @Test
    void logfmtIsThisLine() {
        assertThat(text("logfmt", ""))
                .isEqualTo("time=2026-11-23T04:05:06.123456789Z level=WARN thread=main logger=com.acme.Orders"
                        + " msg=\"order 7 at 1.5 by \\\"B\u00fclow\\n"
                        + "\\\" x\" user_id=\"u 1\" done=true nothing=null\n");
    }
}
