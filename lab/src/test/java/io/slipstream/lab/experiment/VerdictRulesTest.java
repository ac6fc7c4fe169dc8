package io.slipstream.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.lab.Findings;
import io.slipstream.lab.Judge;
import io.slipstream.lab.Sample;
import io.slipstream.lab.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every rule on made-up figures: some for which the claim holds, one of them changed so that it does not, and one
 * changed so that it cannot be told.
 */
class VerdictRulesTest {
    private static final int CPUS = 64;

    static Stream<Claim> claims() {
        return Stream.of(
                new Claim("B1")
                        .holds("one loop of six||ns/op: 6 6.5 7", "two loops of three||ns/op: 3.6 3.7 3.8")
                        .not("one loop of six||ns/op: 3.6 3.7 3.8")
                        .untold("one loop of six||ns/op: 3.6 4.5 7"),
                new Claim("B2")
                        .holds("padded|1|ns/op: 6", "padded|2|ns/op: 6 6.1", "side by side|2|ns/op: 60 70")
                        .not("padded|2|ns/op: 12 13")
                        .not("side by side|2|ns/op: 6 6.3")
                        .untold("side by side|2|ns/op: 6 12"),
                new Claim("B3")
                        .holds("Java||ns/op: 99 100 101", "C++||ns/op: 98 100 102")
                        .not("Java||ns/op: 130 131 132")
                        .untold("Java||ns/op: 30 100 300"),
                new Claim("B4")
                        .holds(
                                "condition, pinned||ns/op: 2000",
                                "condition, free||ns/op: 8000",
                                "spinning, pinned||ns/op: 100")
                        .not("condition, pinned||ns/op: 900")
                        .not("condition, free||ns/op: 2000")
                        .untold("condition, free||ns/op: 1000 2000 9000 9000"),
                new Claim("B5")
                        .holds(
                                "Java XADD|2|increments/s: 100",
                                "Java CAS|2|increments/s: 50",
                                "C++ XADD|2|increments/s: 100",
                                "C++ CAS|2|increments/s: 50",
                                "Java XADD|8|increments/s: 95",
                                "Java CAS|8|increments/s: 20")
                        .not("C++ CAS|2|increments/s: 99")
                        .not("Java XADD|8|increments/s: 40")
                        .not("Java CAS|8|increments/s: 50")
                        .untold("Java XADD|8|increments/s: 40 60 90 95"),
                new Claim("B6")
                        .holds(
                                "register|one thread|ns/op: 1",
                                "barrier|one thread|ns/op: 15",
                                "CAS|one thread|ns/op: 19",
                                "CAS|two threads|ns/op: 60",
                                "lock|one thread|ns/op: 20",
                                "lock|two threads|ns/op: 236")
                        .not("lock|one thread|ns/op: 4")
                        .not("barrier|one thread|ns/op: 3")
                        .not("CAS|one thread|ns/op: 3")
                        .not("CAS|two threads|ns/op: 20")
                        .not("lock|two threads|ns/op: 60")
                        .untold("lock|two threads|ns/op: 60 200"),
                new Claim("B7")
                        .holds(
                                "synchronized, biased|1|increments/s: 450",
                                "synchronized, JDK 17|1|increments/s: 53",
                                "synchronized|2|increments/s: 18",
                                "ReentrantLock|2|increments/s: 10",
                                "synchronized|4|increments/s: 8",
                                "ReentrantLock|4|increments/s: 14")
                        .not("synchronized, JDK 17|1|increments/s: 200")
                        .not("ReentrantLock|4|increments/s: 8")
                        .untold("ReentrantLock|2|increments/s: 10 20"),
                new Claim("B8")
                        .holds(
                                "RandomAccessFile||write MB/s: 300",
                                "RandomAccessFile||read MB/s: 1400",
                                "buffered stream||write MB/s: 100",
                                "buffered stream||read MB/s: 200",
                                "FileChannel||write MB/s: 250",
                                "FileChannel||read MB/s: 1000",
                                "mapped||write MB/s: 310",
                                "mapped||read MB/s: 308",
                                "RandomAccessFile|8 GB|write MB/s: 180",
                                "RandomAccessFile|8 GB|read MB/s: 250",
                                "buffered stream|8 GB|write MB/s: 140",
                                "buffered stream|8 GB|read MB/s: 200",
                                "FileChannel|8 GB|write MB/s: 190",
                                "FileChannel|8 GB|read MB/s: 215",
                                "mapped|8 GB|write MB/s: 121",
                                "mapped|8 GB|read MB/s: 231")
                        .not("buffered stream||write MB/s: 290")
                        .not("mapped||read MB/s: 1300")
                        .not("mapped|8 GB|write MB/s: 20")
                        .untold("mapped||read MB/s: 200 200 400 400")
                        .untold("mapped||read MB/s: 308 308 900 900"),
                new Claim("B9")
                        .holds("calls|1|ns/op: 0.4", "calls|2|ns/op: 0.8", "calls|3|ns/op: 3.2", "calls|4|ns/op: 3.6")
                        .not("calls|3|ns/op: 0.9")
                        .not("calls|4|ns/op: 0.9")
                        .untold("calls|4|ns/op: 0.5 2"),
                new Claim("B10")
                        .holds("in order||ns/op: 1", "within pages||ns/op: 3.7", "over the heap||ns/op: 29")
                        .not("over the heap||ns/op: 2")
                        .untold("within pages||ns/op: 0.5 0.8 3"),
                new Claim("B11")
                        .holds(
                                "one by one||mean µs: 550",
                                "one by one||worst µs: 1000",
                                "one by one||packets a burst: 10",
                                "smart batching||mean µs: 150",
                                "smart batching||worst µs: 200",
                                "smart batching||packets a burst: 2",
                                "one by one|20000|latency µs: 5000",
                                "smart batching|20000|latency µs: 160",
                                "smart batching|50000|latency µs: 170",
                                "smart batching|1000|latency µs: 101",
                                "smart batching|400000|latency µs: 6000")
                        .not("smart batching|400000|latency µs: 180")
                        .not("smart batching|50000|latency µs: 900")
                        .not("smart batching||packets a burst: 5")
                        .not("smart batching||mean µs: 540")
                        .untold("smart batching||worst µs: 200 500"),
                new Claim("B12")
                        .holds(
                                "pinned||messages/s: 500",
                                "pinned||unsteadiness %: 1",
                                "free||messages/s: 400",
                                "free||unsteadiness %: 9")
                        .not("pinned||unsteadiness %: 12")
                        .untold("pinned||messages/s: 300 500"),
                new Claim("B13")
                        .holds("bounded|10|response ms: 1 1.01", "unbounded|10|response ms: 70")
                        .not("bounded|10|response ms: 2 2.1")
                        .untold("bounded|10|response ms: 1 2"),
                new Claim("B14")
                        .holds(
                                "Java serialization|write|ns/op: 2000",
                                "Java serialization|read|ns/op: 9000",
                                "ByteBuffer|write|ns/op: 170",
                                "ByteBuffer|read|ns/op: 180",
                                "raw memory|write|ns/op: 30",
                                "raw memory|read|ns/op: 50",
                                "Java serialization|write|bytes: 340",
                                "raw memory|write|bytes: 185")
                        .not("raw memory|write|ns/op: 170")
                        .not("raw memory|read|ns/op: 170")
                        .not("Java serialization|read|ns/op: 1800")
                        .not("Java serialization|write|bytes: 190")
                        .untold("raw memory|read|ns/op: 50 180")
                        .untold("raw memory|write|ns/op: 30 130"),
                new Claim("B15")
                        .holds(
                                "100 clients|512|calls/s: 500",
                                "100 clients|2048|calls/s: 3000",
                                "100 clients|5000|calls/s: 6000",
                                "100 clients|16384|calls/s: 6000",
                                "100 clients|65536|calls/s: 6100",
                                "100 clients|131072|calls/s: 850",
                                "200 clients|131072|calls/s: 2680")
                        .not("100 clients|512|calls/s: 5900")
                        .not("100 clients|2048|calls/s: 7000")
                        .untold("100 clients|16384|calls/s: 9000")
                        .untold("200 clients|131072|calls/s: 1000")
                        .untold("100 clients|512|calls/s: 2000 6000")
                        .untold("100 clients|65536|calls/s: 9000"),
                new Claim("B16")
                        .holds("one write|TCP_NODELAY on|calls/s: 3884", "one write|TCP_NODELAY off|calls/s: 5060")
                        .not("one write|TCP_NODELAY off|calls/s: 3900")
                        .untold("one write|TCP_NODELAY off|calls/s: 3900 5060"),
                new Claim("B17")
                        .holds(
                                "atomic increment|all|ns/op: 68",
                                "synchronized|all|ns/op: 77",
                                "atomic reference|all|ns/op: 104",
                                "spin lock|all|ns/op: 110",
                                "ReentrantLock|all|ns/op: 115",
                                "atomic increment|one|ns/op: 10",
                                "synchronized|one|ns/op: 3.5")
                        .not("synchronized|one|ns/op: 9")
                        .not("ReentrantLock|all|ns/op: 40")
                        .untold("spin lock|all|ns/op: 50 110"),
                new Claim("B18")
                        .holds(
                                "synchronized||read ns/op: 100",
                                "synchronized||write ns/op: 70",
                                "atomic array||read ns/op: 780",
                                "atomic array||write ns/op: 780")
                        .not("atomic array||write ns/op: 70")
                        .not("atomic array||read ns/op: 90")
                        .untold("atomic array||read ns/op: 90 300"),
                new Claim("B19")
                        .holds(
                                "reflection|static|ns/op: 5",
                                "handle, constant|static|ns/op: 1",
                                "reflection|instance|ns/op: 5",
                                "handle, constant|instance|ns/op: 1")
                        .not("reflection|static|ns/op: 1.1")
                        .untold("reflection|instance|ns/op: 1 3"),
                new Claim("B20")
                        .holds(
                                "long test|1|lost %: 0 0 0",
                                "long test|2|lost %: 20 30 40", "short tests that passed|2|passed %: 90 95 100")
                        .not("short tests that passed|2|passed %: 0 0 0")
                        .untold("long test|2|lost %: 0 0 30 40"),
                new Claim("B21")
                        .holds(
                                "not buffered|8|write MB/s: 17",
                                "buffered|8|write MB/s: 578",
                                "not buffered|128|write MB/s: 254",
                                "buffered|128|write MB/s: 2024",
                                "not buffered|128|read MB/s: 391",
                                "buffered|128|read MB/s: 3387",
                                "not buffered|65536|write MB/s: 2000",
                                "buffered|65536|write MB/s: 2000")
                        .not("buffered|65536|write MB/s: 3000")
                        .not("buffered|128|write MB/s: 300")
                        .not("buffered|128|read MB/s: 400")
                        .holds(
                                "by buffer size|1024|write MB/s: 1000",
                                "by buffer size|4096|write MB/s: 2000",
                                "by buffer size|8192|write MB/s: 2500",
                                "by buffer size|16384|write MB/s: 2600",
                                "by buffer size|32768|write MB/s: 2600",
                                "by buffer size|131072|write MB/s: 2300",
                                "by buffer size|1048576|write MB/s: 2000")
                        .not("by buffer size|131072|write MB/s: 6000")
                        .untold("by buffer size|131072|write MB/s: 2600 2601 5000 5000"),
                new Claim("B22")
                        .holds(
                                "HashSet|10|iterate ns: 5",
                                "HashSet, grown and emptied|10|iterate ns: 20000",
                                "ArrayList|4000|add ns: 30",
                                "LinkedList|4000|add ns: 46",
                                "ArrayList|4000|iterate ns: 1",
                                "LinkedList|4000|iterate ns: 3",
                                "ArrayList|4000|remove ns: 1000",
                                "LinkedList|4000|remove ns: 3000")
                        .not("HashSet, grown and emptied|10|iterate ns: 5")
                        .not("LinkedList|4000|add ns: 30")
                        .untold("LinkedList|4000|remove ns: 1000 1500"),
                new Claim("B23")
                        .holds(
                                "long[]||write MB/s: 9000",
                                "long[], unrolled||write MB/s: 8000",
                                "raw memory||write MB/s: 9000",
                                "raw memory, unrolled||write MB/s: 5000",
                                "C++ long||write MB/s: 9500",
                                "C++ long, unrolled||write MB/s: 9000",
                                "long[]||read MB/s: 9000",
                                "long[], unrolled||read MB/s: 8000",
                                "raw memory||read MB/s: 9000",
                                "raw memory, unrolled||read MB/s: 5000",
                                "C++ long||read MB/s: 9500",
                                "C++ long, unrolled||read MB/s: 9000",
                                "byte[]||write MB/s: 2200",
                                "byte[]||read MB/s: 2300",
                                "C++ char||write MB/s: 2000",
                                "C++ char||read MB/s: 2000")
                        .not("byte[]||write MB/s: 1000")
                        .not("C++ char||read MB/s: 8000")
                        .not("C++ long, unrolled||read MB/s: 20000")
                        .untold("C++ long||write MB/s: 9500 9501 20000 20000"),
                new Claim("B24")
                        .holds("blocking|50|latency µs: 20", "futures|50|latency µs: 30")
                        .not("blocking|50|latency µs: 40")
                        .untold("blocking|50|latency µs: 20 40"),
                new Claim("B25")
                        .holds(
                                "disk||create µs: 22.9",
                                "tmpfs||create µs: 7.2",
                                "disk||delete µs: 9.1",
                                "tmpfs||delete µs: 3.9")
                        .not("disk||create µs: 7")
                        .untold("disk||delete µs: 3 9"),
                new Claim("B26")
                        .holds(
                                "columns off-heap||ns/op: 5.1",
                                "list of beans||ns/op: 6.5",
                                "Externalizable bytes||ns/op: 5841",
                                "Serializable bytes||ns/op: 23217")
                        .not("list of beans||ns/op: 4")
                        .not("Serializable bytes||ns/op: 6000")
                        .untold("Externalizable bytes||ns/op: 500 900"),
                new Claim("B27")
                        .holds("cast||ns/op: 6", "Math.round||ns/op: 17", "BigDecimal||ns/op: 932")
                        .not("BigDecimal||ns/op: 50")
                        .not("Math.round||ns/op: 6")
                        .untold("Math.round||ns/op: 6 12"),
                new Claim("B28")
                        .holds(
                                "a new list each||bytes/op: 400",
                                "into the caller's list||bytes/op: 300",
                                "a new list each||ns/op: 100",
                                "into the caller's list||ns/op: 90")
                        .not("into the caller's list||bytes/op: 400")
                        .untold("into the caller's list||ns/op: 90 130"),
                new Claim("B29")
                        .holds(
                                "serial|8|pause ms: 12",
                                "serial|32|pause ms: 40",
                                "serial|128|pause ms: 150",
                                "serial, data off-heap|32|pause ms: 2",
                                "serial, data off-heap|128|pause ms: 2")
                        .not("serial|128|pause ms: 50")
                        .not("serial, data off-heap|128|pause ms: 40")
                        .untold("serial|128|pause ms: 60 150"),
                new Claim("B30")
                        .holds(
                                "kept connection||calls/s: 60",
                                "new connection||calls/s: 20",
                                "new connection||handshake %: 25")
                        .not("new connection||handshake %: 5")
                        .untold("new connection||handshake %: 5 15")
                        .untold("kept connection||calls/s: 20 30"),
                new Claim("B31")
                        .holds("opaque||ns/op: 0.5", "release||ns/op: 0.5", "volatile||ns/op: 6")
                        .not("volatile||ns/op: 0.6")
                        .untold("release||ns/op: 0.5 0.5 1.2 1.2"),
                new Claim("B32")
                        .holds(
                                "Java||ms: 100",
                                "C++, std::unordered_map||ms: 300",
                                "C++, same algorithm||ms: 90",
                                "Java||GGTATT found: 97",
                                "C++, std::unordered_map||GGTATT found: 97",
                                "C++, same algorithm||GGTATT found: 97")
                        .not("C++, std::unordered_map||ms: 100")
                        .untold("C++, std::unordered_map||ms: 100 150")
                        .untold("C++, same algorithm||GGTATT found: 96"),
                new Claim("C1")
                        .holds("pre-allocated||write MB/s: 300", "growing||write MB/s: 150")
                        .not("growing||write MB/s: 290")
                        .untold("growing||write MB/s: 150 290"),
                new Claim("C2")
                        .holds("queue|two threads|ns/op: 100", "queue with its size|two threads|ns/op: 150")
                        .not("queue with its size|two threads|ns/op: 110")
                        .untold("queue with its size|two threads|ns/op: 110 110 150 150"),
                new Claim("C3")
                        .holds("calls|1|ns/call: 3", "calls|5|ns/call: 4")
                        .not("calls|5|ns/call: 3.1")
                        .untold("calls|5|ns/call: 3 3 4 4"),
                new Claim("C4")
                        .holds(
                                "calls|one interface|ns/call: 3",
                                "calls|the last of nine|ns/call: 5",
                                "calls|overridden method|ns/call: 2.5")
                        .not("calls|the last of nine|ns/call: 3.2")
                        .not("calls|overridden method|ns/call: 4")
                        .untold("calls|the last of nine|ns/call: 3.2 3.2 5 5"),
                new Claim("C5")
                        .holds("one long warm-up||ns/op: 0.6", "ten short ones||ns/op: 0.4")
                        .not("one long warm-up||ns/op: 0.4")
                        .untold("one long warm-up||ns/op: 0.4 0.4 0.6 0.6"),
                new Claim("C6")
                        .holds("alone||passed %: 100", "beside busy threads||passed %: 0")
                        .not("alone||passed %: 20")
                        .not("beside busy threads||passed %: 80")
                        .untold("beside busy threads||passed %: 0 0 80 80"),
                new Claim("C7")
                        .holds(
                                "walk|over half of it|ns/op: 30",
                                "walk|over all of it|ns/op: 55",
                                "walk|lines in order|ns/op: 3",
                                "walk|lines at random|ns/op: 60")
                        .not("walk|over all of it|ns/op: 31")
                        .not("walk|lines at random|ns/op: 5")
                        .untold("walk|over all of it|ns/op: 31 31 55 55"),
                new Claim("C8")
                        .holds(
                                "siblings|two arrays each|ns/store: 0.5",
                                "siblings|four arrays each|ns/store: 0.9",
                                "two cores|two arrays each|ns/store: 0.3",
                                "two cores|four arrays each|ns/store: 0.3")
                        .not("siblings|four arrays each|ns/store: 0.5")
                        .not("two cores|four arrays each|ns/store: 0.5")
                        .untold("siblings|four arrays each|ns/store: 0.5 0.5 0.9 0.9"),
                new Claim("C9")
                        .holds("spread||ns/op: 60", "grouped||ns/op: 40")
                        .not("spread||ns/op: 40")
                        .untold("spread||ns/op: 40 40 60 60"),
                new Claim("C10")
                        .holds(
                                "on the main flow||median ns: 2000",
                                "on the main flow||99.9 % ns: 30000",
                                "off the main flow||median ns: 100",
                                "off the main flow||99.9 % ns: 1000",
                                "Slipstream's log||median ns: 150",
                                "Slipstream's log||99.9 % ns: 4000")
                        .not("off the main flow||median ns: 1500")
                        .not("off the main flow||99.9 % ns: 25000")
                        .not("Slipstream's log||median ns: 1500")
                        .not("Slipstream's log||99.9 % ns: 25000")
                        .untold("off the main flow||median ns: 100 100 1500 1500"),
                new Claim("P1")
                        .holds("one by one||events/s: 60000000", "ten at a time||events/s: 150000000")
                        .not("one by one||events/s: 40000000")
                        .not("ten at a time||events/s: 90000000")
                        .untold("one by one||events/s: 40000000 40000000 60000000 60000000"),
                new Claim("P2")
                        .holds("channel||ns/op: 150", "channel||messages/s: 20000000")
                        .not("channel||ns/op: 300")
                        .not("channel||messages/s: 9000000")
                        .untold("channel||ns/op: 150 150 300 300"),
                new Claim("P3")
                        .holds("Slipstream||tasks/s: 60", "ThreadPoolExecutor||tasks/s: 6")
                        .not("Slipstream||tasks/s: 20")
                        .untold("Slipstream||tasks/s: 20 20 60 60"),
                new Claim("P4")
                        .holds(
                                "huge list|add|ns/op: 50",
                                "huge list|read in order|ns/op: 40",
                                "huge list|update a field|ns/op: 3")
                        .not("huge list|add|ns/op: 120")
                        .not("huge list|update a field|ns/op: 12")
                        .untold("huge list|read in order|ns/op: 40 40 120 120"),
                new Claim("P5")
                        .holds("codec|write|ns/op: 20", "codec|read|ns/op: 25")
                        .not("codec|write|ns/op: 60")
                        .untold("codec|read|ns/op: 25 25 70 70"));
    }

    @ParameterizedTest
    @MethodSource("claims")
    void holdsForFiguresLikeThoseOfTheArticles(Claim claim) {
        assertThat(claim.judge("").kind()).isEqualTo(Verdict.Kind.HOLDS);
    }

    @ParameterizedTest
    @MethodSource("claims")
    void doesNotHoldWhenAFigureSpeaksAgainstIt(Claim claim) {
        assertThat(claim.against).isNotEmpty();
        assertThat(claim.against)
                .allSatisfy(changed ->
                        assertThat(claim.judge(changed).kind()).as(changed).isEqualTo(Verdict.Kind.DOES_NOT_HOLD));
    }

    @ParameterizedTest
    @MethodSource("claims")
    void cannotBeToldWhenAFigureIsUnsteady(Claim claim) {
        assertThat(claim.unsteady)
                .isNotEmpty()
                .allSatisfy(changed ->
                        assertThat(claim.judge(changed).kind()).as(changed).isEqualTo(Verdict.Kind.CANNOT_TELL));
    }

    @ParameterizedTest
    @MethodSource("claims")
    void cannotBeToldWhenAFigureIsMissing(Claim claim) {
        Findings none = new Findings().put("something", "", "else", Sample.of(1));
        assertThat(Judge.judge(Catalog.get(claim.id), none, CPUS).kind()).isEqualTo(Verdict.Kind.CANNOT_TELL);
    }

    @Test
    void everyClaimIsHere() {
        assertThat(claims().map(c -> c.id))
                .containsExactlyElementsOf(Catalog.all().stream()
                        .map(e -> e.card().id())
                        .filter(id -> !id.startsWith("M"))
                        .toList());
    }

    @Test
    void howCountersGoOnWithMoreThreadsCannotBeToldOnTwoProcessors() {
        Claim claim = new Claim("B5")
                .holds(
                        "Java XADD|2|increments/s: 100",
                        "Java CAS|2|increments/s: 50",
                        "C++ XADD|2|increments/s: 100",
                        "C++ CAS|2|increments/s: 50");
        assertThat(claim.judge("").reason()).contains("takes more than two processors");
    }

    @Test
    void memoryLatencySaysWhereItAgreesWithItsTwin() {
        Claim claim = new Claim("M2")
                .holds(
                        "small pages|8192|ns/load: 1.1",
                        "small pages|16384|ns/load: 1.2",
                        "small pages|32768|ns/load: 1.3",
                        "small pages|8192|Java / C++: 0.99 1.0 1.01",
                        "small pages|16384|Java / C++: 1.3 1.31 1.32",
                        "small pages|32768|Java / C++: 0.6 0.7 1.3 1.5",
                        "huge pages|32768|ns/load: 1.25");
        assertThat(claim.judge("").kind()).isEqualTo(Verdict.Kind.MEASURED);
        assertThat(claim.judge("").reason())
                .contains("1.1 ns in 8 KB and 1.3 ns in 32 KB (1.25 ns with huge pages)")
                .contains("small pages: agree at 1 size, differ at 16 KB, too unsteady at 32 KB.")
                .doesNotContain("huge pages: agree");
    }

    @Test
    void memoryLatencySaysWhereItsCurveEndsWithinTheCache() {
        assertThat(latencyUpTo64Megabytes(105L << 20))
                .contains("ends within the last-level cache of 105 MB")
                .contains("goes on to 512 MB");
        assertThat(latencyUpTo64Megabytes(32L << 20)).contains("ends near the last-level cache of 32 MB");
        assertThat(latencyUpTo64Megabytes(16L << 20)).doesNotContain("ends");
        assertThat(latencyUpTo64Megabytes(0)).doesNotContain("ends");
    }

    private static String latencyUpTo64Megabytes(long lastLevelCache) {
        Findings found = new Findings()
                .put("small pages", 8_192, "ns/load", Sample.of(1))
                .put("small pages", 64 << 20, "ns/load", Sample.of(100))
                .putLastLevelCache(lastLevelCache);
        return Judge.judge(Catalog.get("M2"), found, CPUS).reason();
    }

    @Test
    void coreToCoreNamesTheNearestAndTheFarthest() {
        Claim claim = new Claim("M1").holds("0|1|ns/round trip: 50", "0|2|ns/round trip: 90", "1|2|ns/round trip: 120");
        assertThat(claim.judge("").reason()).contains("50 to 120 ns");
        Claim two = new Claim("M1").holds("0|1|ns/round trip: 50");
        assertThat(two.judge("").reason()).contains("takes 50 ns");
    }

    /** Figures as {@code series|x|metric: a value for each round}. */
    private static final class Claim {
        private final String id;
        private final Map<String, String> figures = new LinkedHashMap<>();
        private List<String> against = List.of();
        private List<String> unsteady = List.of();

        Claim(String id) {
            this.id = id;
        }

        Claim holds(String... lines) {
            for (String line : lines) {
                figures.put(key(line), line);
            }
            return this;
        }

        Claim not(String changed) {
            against = Stream.concat(against.stream(), Stream.of(changed)).toList();
            return this;
        }

        Claim untold(String changed) {
            unsteady = Stream.concat(unsteady.stream(), Stream.of(changed)).toList();
            return this;
        }

        Verdict judge(String changed) {
            Map<String, String> lines = new LinkedHashMap<>(figures);
            if (!changed.isEmpty()) {
                assertThat(lines).containsKey(key(changed));
                lines.put(key(changed), changed);
            }
            Findings found = new Findings();
            for (String line : lines.values()) {
                String[] key = key(line).split("\\|", -1);
                double[] values = Stream.of(
                                line.substring(line.lastIndexOf(": ") + 2).split(" ", -1))
                        .mapToDouble(Double::parseDouble)
                        .toArray();
                found.put(key[0], key[1], key[2], Sample.of(values));
            }
            return Judge.judge(Catalog.get(id), found, CPUS);
        }

        private static String key(String line) {
            return line.substring(0, line.lastIndexOf(": "));
        }

        @Override
        public String toString() {
            return id;
        }
    }
}
