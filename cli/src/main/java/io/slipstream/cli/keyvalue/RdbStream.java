package io.slipstream.cli.keyvalue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A stream of an RDB image as the commands that make it: its entries, what it counts, and its groups with what is
 * pending. Redis' {@code rdb.c} and {@code t_stream.c} have the form.
 */
final class RdbStream {
    private static final int DELETED = 1;
    private static final int SAME_FIELDS = 2;

    /** The form in which streams say when their first entry was, and how many were added. */
    private static final int SECOND_FORM = 19;

    /** The form in which consumers have two times. */
    private static final int THIRD_FORM = 21;

    private final RdbInput in;
    private final byte[] key;
    private final int type;
    private final List<List<byte[]>> commands = new ArrayList<>();

    private record Pending(long atMillis, long times) {}

    private RdbStream(RdbInput in, byte[] key, int type) {
        this.in = in;
        this.key = key;
        this.type = type;
    }

    /** Reads what stands behind the key. */
    static List<List<byte[]>> read(RdbInput in, byte[] key, int type) throws IOException {
        RdbStream stream = new RdbStream(in, key, type);
        stream.read();
        return stream.commands;
    }

    private void read() throws IOException {
        for (long nodes = in.length(); nodes > 0; nodes--) {
            ByteBuffer first = ByteBuffer.wrap(in.string()).order(ByteOrder.BIG_ENDIAN);
            addNode(first.getLong(), first.getLong(), RdbPacked.listpack(in.string()));
        }
        boolean isEmpty = commands.isEmpty();
        long length = in.length();
        String last = id();
        String deleted = "0-0";
        long added = length;
        if (type >= SECOND_FORM) {
            id();
            deleted = id();
            added = in.length();
        }
        if (isEmpty) {
            add("XADD", "MAXLEN", "0", last.equals("0-0") ? "0-1" : last, "x", "y");
        }
        add("XSETID", last, "ENTRIESADDED", Long.toString(added), "MAXDELETEDID", deleted);
        for (long groups = in.length(); groups > 0; groups--) {
            addGroup();
        }
    }

    /** Ids are told as what they are more than the first; the fields of the first may hold for others too. */
    private void addNode(long millis, long sequence, List<byte[]> node) {
        int at = 0;
        long left = number(node, at++) + number(node, at++);
        int shared = (int) number(node, at++);
        List<byte[]> fields = node.subList(at, at + shared);
        at += shared + 1;
        for (; left > 0; left--) {
            long flags = number(node, at++);
            String id = Long.toUnsignedString(millis + number(node, at++)) + "-"
                    + Long.toUnsignedString(sequence + number(node, at++));
            boolean isSame = (flags & SAME_FIELDS) != 0;
            int count = isSame ? shared : (int) number(node, at++);
            List<byte[]> words = new ArrayList<>(List.of(ascii("XADD"), key, ascii(id)));
            for (int i = 0; i < count; i++) {
                words.add(isSame ? fields.get(i) : node.get(at++));
                words.add(node.get(at++));
            }
            // How many elements the entry has.
            at++;
            if ((flags & DELETED) == 0) {
                commands.add(words);
            }
        }
    }

    private void addGroup() throws IOException {
        byte[] group = in.string();
        String last = id();
        List<byte[]> create = words("XGROUP", "CREATE");
        create.addAll(List.of(key, group, ascii(last)));
        if (type >= SECOND_FORM) {
            create.addAll(List.of(ascii("ENTRIESREAD"), ascii(Long.toString(in.length()))));
        }
        commands.add(create);
        Map<String, Pending> pending = new LinkedHashMap<>();
        for (long left = in.length(); left > 0; left--) {
            String id = rawId();
            pending.put(id, new Pending(in.littleEndian(Long.BYTES), in.length()));
        }
        for (long consumers = in.length(); consumers > 0; consumers--) {
            byte[] consumer = in.string();
            in.octets(type >= THIRD_FORM ? 2 * Long.BYTES : Long.BYTES);
            List<byte[]> make = words("XGROUP", "CREATECONSUMER");
            make.addAll(List.of(key, group, consumer));
            commands.add(make);
            for (long left = in.length(); left > 0; left--) {
                String id = rawId();
                Pending of = pending.get(id);
                if (of == null) {
                    throw new IllegalArgumentException("a consumer has " + id + ", which its group has not");
                }
                List<byte[]> claim = words("XCLAIM");
                claim.addAll(List.of(key, group, consumer));
                claim.addAll(words("0", id, "TIME", Long.toString(of.atMillis)));
                claim.addAll(words("RETRYCOUNT", Long.toString(of.times), "JUSTID", "FORCE"));
                commands.add(claim);
            }
        }
    }

    private String id() throws IOException {
        return Long.toUnsignedString(in.length()) + "-" + Long.toUnsignedString(in.length());
    }

    private String rawId() throws IOException {
        ByteBuffer id = ByteBuffer.wrap(in.octets(2 * Long.BYTES)).order(ByteOrder.BIG_ENDIAN);
        return Long.toUnsignedString(id.getLong()) + "-" + Long.toUnsignedString(id.getLong());
    }

    private void add(String command, String... arguments) {
        List<byte[]> words = words(command);
        words.add(key);
        words.addAll(words(arguments));
        commands.add(words);
    }

    private static List<byte[]> words(String... words) {
        List<byte[]> all = new ArrayList<>();
        for (String word : words) {
            all.add(ascii(word));
        }
        return all;
    }

    private static long number(List<byte[]> node, int i) {
        return Long.parseLong(new String(node.get(i), StandardCharsets.US_ASCII));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
