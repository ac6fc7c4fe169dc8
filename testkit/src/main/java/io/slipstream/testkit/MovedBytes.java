package io.slipstream.testkit;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Which methods of the classes of a {@link TwinLoader#counting() counting loader} have copied a payload, and which have
 * walked over the headers of frames. Of one test at a time.
 *
 * <p>A payload is known by its length, which nothing else has. Of what is copied piece by piece the pieces are added
 * up, and only loops have them. Calls from classes that are made at run time, such as codecs, and what the JDK does
 * inside are not seen.
 */
public final class MovedBytes {
    /** What may be around a payload: headers, padding, words of a text protocol. */
    private static final int AROUND = 128;

    private static final Queue<Moved> MOVED = new ConcurrentLinkedQueue<>();
    private static final Queue<Moved> LOOKED = new ConcurrentLinkedQueue<>();
    private static volatile boolean counting;

    private record Moved(String method, long bytes, boolean inLoop) {}

    private MovedBytes() {}

    /** Begins to count, from nothing. */
    public static void begin() {
        MOVED.clear();
        LOOKED.clear();
        counting = true;
    }

    /** Counts no more; what was counted stays. */
    public static void end() {
        counting = false;
    }

    /** Returns the methods that have copied a payload of that length, sorted, each as often as it has. */
    public static List<String> copies(int payload) {
        List<String> methods = new ArrayList<>();
        Map<String, Long> pieces = new TreeMap<>();
        for (Moved each : MOVED) {
            if (isAround(payload, each.bytes)) {
                methods.add(each.method);
            } else if (each.inLoop && each.bytes < payload) {
                pieces.merge(each.method, each.bytes, Long::sum);
            }
        }
        pieces.forEach((method, bytes) -> {
            for (long left = bytes; left >= payload; left -= payload) {
                methods.add(method);
            }
        });
        methods.sort(null);
        return methods;
    }

    /** Returns the methods that have come to a frame with such a payload while they went from one frame to the next. */
    public static SortedSet<String> walks(int payload) {
        SortedSet<String> methods = new TreeSet<>();
        for (Moved each : LOOKED) {
            if (isAround(payload, each.bytes)) {
                methods.add(each.method);
            }
        }
        return methods;
    }

    private static boolean isAround(int payload, long bytes) {
        return bytes >= payload && bytes < payload + AROUND;
    }

    /** Called where so many bytes are copied at once. */
    public static void moved(long bytes, String method) {
        count(MOVED, bytes, method, false);
    }

    /** Called where so many bytes are copied in a loop. */
    public static void movedInLoop(long bytes, String method) {
        count(MOVED, bytes, method, true);
    }

    /** Called where a loop has read the length of a frame. */
    public static void looked(int length, String method) {
        count(LOOKED, length, method, true);
    }

    private static void count(Queue<Moved> to, long bytes, String method, boolean inLoop) {
        if (counting) {
            to.add(new Moved(method, bytes, inLoop));
        }
    }

    /** Returns how many bytes {@code value} has, which is copied as a whole. */
    public static long size(@Nullable Object value) {
        if (value instanceof MemorySegment segment) {
            return segment.byteSize();
        }
        if (value instanceof Buffer buffer) {
            return buffer.remaining();
        }
        return value != null && value.getClass().isArray() ? Array.getLength(value) : 0;
    }
}
