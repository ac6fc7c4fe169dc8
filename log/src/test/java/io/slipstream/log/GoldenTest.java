package io.slipstream.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        return text(
                format, pattern, VALUES[0], VALUES[1], VALUES[2], VALUES[3], VALUES[4], VALUES[5], VALUES[6], VALUES[7],
                VALUES[8], null);
    }

    private String text(String format, String pattern, @Nullable Object... values) {
        int length = write(values);
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

    /** The patterns that Logback's and Log4j's manuals begin with, among others. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        %d{HH:mm:ss.SSS}{UTC} [%thread] %-5level %logger{36} -|04:05:06.123 [main] WARN  com.acme.Orders -
        %-5level %logger{36} -%kvp- %msg|WARN  com.acme.Orders -user id=u 1 done=true nothing=null- MESSAGE
        %date{yyyy-MM-dd HH:mm:ss, UTC} %level [%t] %c{1}|2026-11-23 04:05:06 WARN [main] Orders
        %d{"HH:mm:ss,SSS", UTC}|04:05:06,123
        %d{ABSOLUTE}{UTC}|04:05:06,123
        %d{DEFAULT}{Asia/Tokyo}|2026-11-23 13:05:06,123
        %d{ISO8601}{UTC}|2026-11-23T04:05:06,123
        %d{DATE}{UTC}|23 Nov 2026 04:05:06,123
        %d{HH:mm:ss.nnnnnnnnn}{UTC}|04:05:06.123456789
        %logger{15}|com.acme.Orders
        %logger{10}|c.a.Orders
        %c{1.}|c.a.Orders
        %c{2}|acme.Orders
        %logger{0}|Orders
        %.6logger/%.-6logger/%-4.4level/%20.20c|Orders/com.ac/WARN/     com.acme.Orders
        %X{done}/%X{none}/%X{none:-no}/%mdc{user id}|true//no/u 1
        %X/%marker/%%|user id=u 1 done=true nothing=null//%
        \\(%p\\)|(WARN)
        """)
    void patternsOfLogbackAndLog4jAreUnderstood(String pattern, String expected) {
        String message = "order 7 at 1.5 by \"B\u00fclow\n\" x";
        assertThat(text("pattern", pattern)).isEqualTo(expected.replace("MESSAGE", message));
    }

    @Test
    void aWidthCountsCharacters() {
        assertThat(text("pattern", "%.2X{name}|%-4X{name}|", Arguments.key("name"), "\u00fc\u20ac\ud83d\ude80"))
                .isEqualTo("\u20ac\ud83d\ude80|\u00fc\u20ac\ud83d\ude80 |");
    }

    @Test
    void timesAreOfTheLocalZoneIfNothingElseIsSaid() {
        assertThat(text("pattern", "%d{HH:mm}"))
                .isEqualTo(DateTimeFormatter.ofPattern("HH:mm")
                        .withZone(ZoneId.systemDefault())
                        .format(Instant.ofEpochSecond(0, NANOS)));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        %q | at position 0: '%q' is none of
        a %highlight(%p) | at position 2: '%highlight' is none of
        %mtext | '%mtext' is none of
        %L | '%L' is of the place that logs
        %caller{1} | '%caller' is of the place that logs
        %m{ansi} | '%m' does not know {ansi}
        %c{short} | '%c' {short} of a logger is none of
        %d{UNIX} | '%d' {UNIX} is no form of a time
        %d{HH:mm}{Mars} | '%d' {HH:mm}{Mars} is no form of a time
        %d{HH:mm}{UTC}{fr} | '%d' does not know {fr}
        %d{} | '%d' {} is no form of a time: it shows nothing
        %d{'HH:mm'} | '%d' {'HH:mm'} is no form of a time: it shows nothing
        %d{ss.nnnnnn} | '%d' {ss.nnnnnn} is no form of a time: a part of a second is S
        %X{a,b} | '%X' takes one key
        %ex{5} | '%ex' takes {full} or {none}
        %ex{full}{filters(java)} | '%ex' does not know {filters(java)}
        %d{HH:mm | '%d' has a brace that does not end
        ${env:X} %m | '${' is not looked up
        100 % | '%' has no word behind it
        %-30(%d) | '%(' is a group
        """)
    void whatAPatternDoesNotKnowItNames(String pattern, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Layout.of("pattern", pattern))
                .withMessageContaining(reason);
    }

    @Test
    void aTraceStandsWhereThePatternSays() {
        Exception failed = new Exception("no", null, false, false) {
            private static final long serialVersionUID = 1;

            @Override
            public String toString() {
                return "failed";
            }
        };
        assertThat(text("pattern", "%p%n", failed)).isEqualTo("WARN\nfailed\n");
        assertThat(text("pattern", "%p%n%ex{full}|", failed)).isEqualTo("WARN\nfailed\n|");
        assertThat(text("pattern", "%p %xEx%n|", failed)).isEqualTo("WARN \nfailed\n|");
        assertThat(text("pattern", "%p %throwable%n|", 1)).isEqualTo("WARN \n|");
        assertThat(text("pattern", "%p%n%nopex", failed)).isEqualTo("WARN\n");
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
