package io.slipstream.testkit;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The objects of this JVM and who refers to whom, without weak, soft and phantom references. It reads the binary
 * format of HPROF, with ids of eight bytes, as HotSpot writes it.
 */
final class HeapDump {
    private static final int HEADER_BYTES = "JAVA PROFILE 1.0.2\0".length() + 4 + 8;
    private static final int OBJECT = 2;
    private static final long NOTHING = 0;
    private static final String ELEMENT = "";
    private static final Root UNKNOWN = new Root("root", Root.NO_THREAD);
    /** By type: 2 is a reference, 4 to 11 are boolean, char, float, double, byte, short, int, long. */
    private static final int[] BYTES_OF_TYPE = {0, 0, 8, 0, 1, 2, 4, 8, 1, 2, 4, 8};

    private final ByteBuffer bytes;
    private final Map<Long, String> texts = new HashMap<>();
    private final Map<Long, String> classNames = new HashMap<>();
    private final Map<Long, ClassLayout> classes = new HashMap<>();
    private final Map<Long, Integer> objects = new HashMap<>();
    private final Map<Long, Root> roots = new HashMap<>();
    private final Map<Integer, Long> threads = new HashMap<>();
    private final Map<Long, List<Edge>> ofClasses = new HashMap<>();

    private record Field(String name, int type) {}

    private record ClassLayout(long parent, List<Field> fields) {}

    /** What is there by itself, and the number of the thread that it belongs to, or 0. */
    private record Root(String kind, int thread) {
        static final int NO_THREAD = 0;
    }

    /** What a class itself refers to. */
    private record Edge(String label, long to) {}

    @FunctionalInterface
    private interface Visitor {
        /**
         * One reference.
         *
         * @param label name of the field; of an element, {@link #ELEMENT}
         * @param index of the element; no meaning otherwise
         * @param to    not 0
         */
        void see(String label, int index, long to);
    }

    private HeapDump(ByteBuffer bytes) {
        this.bytes = bytes;
        readRecords();
    }

    /** Returns the shortest way from a root to an instance of the class, a line a step; empty if there is none. */
    static List<String> wayTo(Class<?> type) throws IOException {
        Path folder = Files.createTempDirectory("heap");
        Path file = folder.resolve("heap.hprof");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file.toString(), true);
            try (FileChannel channel = FileChannel.open(file)) {
                ByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
                return new HeapDump(bytes).shortestWay(type.getName());
            }
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    private List<String> shortestWay(String type) {
        Map<Long, Long> holders = new HashMap<>();
        ArrayDeque<Long> queue = new ArrayDeque<>(roots.keySet());
        roots.keySet().forEach(root -> holders.put(root, NOTHING));
        while (!queue.isEmpty()) {
            Long id = queue.remove();
            if (isInstance(id, type)) {
                return describe(id, holders);
            }
            visit(id, (_, _, to) -> {
                if (holders.putIfAbsent(to, id) == null) {
                    queue.add(to);
                }
            });
        }
        return List.of();
    }

    private boolean isInstance(long id, String type) {
        Integer offset = objects.get(id);
        return offset != null && bytes.get(offset) == 0x21 && type.equals(classNames.get(bytes.getLong(offset + 13)));
    }

    private List<String> describe(long last, Map<Long, Long> holders) {
        ArrayDeque<String> way = new ArrayDeque<>();
        long id = last;
        for (long holder = holderOf(id, holders); holder != NOTHING; holder = holderOf(id, holders)) {
            way.addFirst("  " + labelOf(holder, id) + " -> " + nameOf(id));
            id = holder;
        }
        way.addFirst(rootName(id) + ": " + nameOf(id));
        return List.copyOf(way);
    }

    private static long holderOf(long id, Map<Long, Long> holders) {
        return holders.getOrDefault(id, NOTHING);
    }

    /** Returns what one object calls another that it refers to. */
    private String labelOf(long holder, long held) {
        List<String> found = new ArrayList<>();
        visit(holder, (label, index, to) -> {
            if (to == held) {
                found.add(label.equals(ELEMENT) ? "[" + index + "]" : label);
            }
        });
        return found.getFirst();
    }

    private String rootName(long id) {
        Root root = roots.getOrDefault(id, UNKNOWN);
        Long thread = threads.get(root.thread);
        return thread == null || thread == id ? root.kind : root.kind + " of " + nameOf(thread);
    }

    private String nameOf(long id) {
        String loaded = classNames.get(id);
        if (loaded != null) {
            return "class " + loaded;
        }
        Integer offset = objects.get(id);
        if (offset == null) {
            return "?";
        }
        int tag = bytes.get(offset);
        if (tag == 0x23) {
            return "array of primitives";
        }
        long type = tag == 0x22 ? bytes.getLong(offset + 17) : bytes.getLong(offset + 13);
        String name = classNames.getOrDefault(type, "?");
        String thread = tag == 0x21 ? threadName(id) : null;
        return thread == null ? name : name + " '" + thread + "'";
    }

    /** Returns the name of a thread, or null if the object is none. */
    private @Nullable String threadName(long id) {
        Long holder = reference(id, "holder");
        Long name = reference(id, "name");
        Long value = name == null || holder == null ? null : reference(name, "value");
        Integer array = value == null ? null : objects.get(value);
        if (array == null || bytes.get(array) != 0x23) {
            return null;
        }
        byte[] text = new byte[bytes.getInt(array + 13)];
        bytes.get(array + 18, text);
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    private @Nullable Long reference(long id, String field) {
        Integer offset = objects.get(id);
        if (offset == null || bytes.get(offset) != 0x21) {
            return null;
        }
        int at = offset + 25;
        ClassLayout layout;
        for (long type = bytes.getLong(offset + 13); type != 0; type = layout.parent) {
            layout = layout(type);
            for (Field each : layout.fields) {
                if (each.type == OBJECT && each.name.equals(field)) {
                    return bytes.getLong(at);
                }
                at += BYTES_OF_TYPE[each.type];
            }
        }
        return null;
    }

    private ClassLayout layout(long type) {
        ClassLayout layout = classes.get(type);
        if (layout == null) {
            throw new IllegalStateException("the dump does not describe class " + classNames.get(type));
        }
        return layout;
    }

    private void readRecords() {
        bytes.position(HEADER_BYTES);
        while (bytes.hasRemaining()) {
            int tag = bytes.get() & 0xFF;
            bytes.getInt();
            int end = bytes.getInt() + bytes.position();
            switch (tag) {
                case 0x01 -> {
                    long id = bytes.getLong();
                    byte[] text = new byte[end - bytes.position()];
                    bytes.get(text);
                    texts.put(id, new String(text, StandardCharsets.UTF_8));
                }
                case 0x02 -> {
                    bytes.getInt();
                    long id = bytes.getLong();
                    bytes.getInt();
                    classNames.put(id, texts.getOrDefault(bytes.getLong(), "?").replace('/', '.'));
                }
                case 0x0C, 0x1C -> {
                    while (bytes.position() < end) {
                        readHeapRecord();
                    }
                }
                default -> {}
            }
            bytes.position(end);
        }
    }

    private void readHeapRecord() {
        int offset = bytes.position();
        int tag = bytes.get() & 0xFF;
        long id = bytes.getLong();
        switch (tag) {
            case 0xFF -> root(id, "root");
            case 0x01 -> {
                root(id, "JNI global");
                skip(8);
            }
            case 0x02 -> {
                rootOfThread(id, "JNI local");
                skip(4);
            }
            case 0x03 -> {
                rootOfThread(id, "frame");
                skip(4);
            }
            case 0x04 -> rootOfThread(id, "native stack");
            case 0x05 -> root(id, "class of the JDK");
            case 0x06 -> rootOfThread(id, "block");
            case 0x07 -> root(id, "monitor");
            case 0x08 -> {
                threads.put(bytes.getInt(bytes.position()), id);
                rootOfThread(id, "live thread");
                skip(4);
            }
            case 0x20 -> readClass(id);
            case 0x21 -> {
                objects.put(id, offset);
                skip(12);
                skip(bytes.getInt());
            }
            case 0x22 -> {
                objects.put(id, offset);
                skip(4);
                int length = bytes.getInt();
                skip(8 + 8 * length);
            }
            case 0x23 -> {
                objects.put(id, offset);
                skip(4);
                int length = bytes.getInt();
                skip(BYTES_OF_TYPE[bytes.get()] * length);
            }
            default -> throw new IllegalStateException("unknown heap record " + tag + " at " + offset);
        }
    }

    private void root(long id, String kind) {
        roots.putIfAbsent(id, new Root(kind, Root.NO_THREAD));
    }

    private void rootOfThread(long id, String kind) {
        roots.putIfAbsent(id, new Root(kind, bytes.getInt()));
    }

    private void readClass(long id) {
        List<Edge> edges = new ArrayList<>();
        ofClasses.put(id, edges);
        skip(4);
        long parent = bytes.getLong();
        edge(edges, "superclass", parent);
        edge(edges, "class loader", bytes.getLong());
        edge(edges, "signers", bytes.getLong());
        edge(edges, "protection domain", bytes.getLong());
        skip(20);
        for (int left = bytes.getShort() & 0xFFFF; left > 0; left--) {
            skip(2);
            skip(BYTES_OF_TYPE[bytes.get()]);
        }
        for (int left = bytes.getShort() & 0xFFFF; left > 0; left--) {
            String name = texts.getOrDefault(bytes.getLong(), "?");
            int type = bytes.get();
            if (type == OBJECT) {
                edge(edges, "static " + name, bytes.getLong());
            } else {
                skip(BYTES_OF_TYPE[type]);
            }
        }
        List<Field> fields = new ArrayList<>();
        for (int left = bytes.getShort() & 0xFFFF; left > 0; left--) {
            fields.add(new Field(texts.getOrDefault(bytes.getLong(), "?"), bytes.get()));
        }
        classes.put(id, new ClassLayout(parent, fields));
    }

    private static void edge(List<Edge> edges, String label, long to) {
        if (to != NOTHING) {
            edges.add(new Edge(label, to));
        }
    }

    private void visit(long id, Visitor visitor) {
        Integer offset = objects.get(id);
        if (offset == null) {
            ofClasses.getOrDefault(id, List.of()).forEach(edge -> visitor.see(edge.label, 0, edge.to));
            return;
        }
        int tag = bytes.get(offset);
        if (tag == 0x21) {
            visitFields(offset, visitor);
        } else if (tag == 0x22) {
            visitor.see("its class", 0, bytes.getLong(offset + 17));
            int length = bytes.getInt(offset + 13);
            for (int i = 0; i < length; i++) {
                see(visitor, ELEMENT, i, bytes.getLong(offset + 25 + 8 * i));
            }
        }
    }

    private void visitFields(int offset, Visitor visitor) {
        long own = bytes.getLong(offset + 13);
        visitor.see("its class", 0, own);
        int at = offset + 25;
        ClassLayout layout;
        for (long type = own; type != 0; type = layout.parent) {
            layout = layout(type);
            boolean weak = "java.lang.ref.Reference".equals(classNames.get(type));
            for (Field field : layout.fields) {
                if (field.type == OBJECT && !(weak && field.name.equals("referent"))) {
                    see(visitor, field.name, 0, bytes.getLong(at));
                }
                at += BYTES_OF_TYPE[field.type];
            }
        }
    }

    private static void see(Visitor visitor, String label, int index, long to) {
        if (to != NOTHING) {
            visitor.see(label, index, to);
        }
    }

    private void skip(int count) {
        bytes.position(bytes.position() + count);
    }
}
