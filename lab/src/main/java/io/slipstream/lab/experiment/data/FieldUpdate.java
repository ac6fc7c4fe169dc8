package io.slipstream.lab.experiment.data;

import io.slipstream.data.list.Cursor;
import io.slipstream.data.list.HugeList;
import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import io.slipstream.lab.experiment.product.HugeCollection;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** B26: one field of a million objects, held in five ways. */
public final class FieldUpdate implements Experiment {
    private static final int LIST_JDK = 25;

    @Override
    public Card card() {
        return Card.of("B26", "Object field update", Group.DATA)
                .question("A field of every one of a million objects is incremented. What does it cost, by how the"
                        + " objects are held?")
                .reported(
                        "Huge collection (columns)",
                        "5.1 ns (laptop 33)",
                        "August 2011",
                        "columns off-heap",
                        "",
                        "ns/op")
                .reported("List of beans", "6.5 ns (laptop 54)", "August 2011", "list of beans", "", "ns/op")
                .reported(
                        "List of Externalizable bytes",
                        "5,841 ns (laptop 17,508)",
                        "August 2011",
                        "Externalizable bytes",
                        "",
                        "ns/op")
                .reported(
                        "List of Serializable bytes",
                        "23,217 ns (the laptop's figure is cut off)",
                        "August 2011",
                        "Serializable bytes",
                        "",
                        "ns/op")
                .plot(Plot.bars("ns/op").log())
                .takes(Duration.ofSeconds(16), Duration.ofMinutes(7))
                .rule("Holds when columns are at least as fast as beans, beans at least 100 times as fast as"
                        + " Externalizable bytes, and these at least twice as fast as Serializable ones (reported: 4).")
                .explanation("""
                    A column holds one field of all objects side by side: eight of them in every cache line, in
                    the order in which they are walked, and nothing for the collector to look at. A bean brings
                    its header and its other fields along, from wherever the collector put it. Objects kept as
                    bytes are taken apart and put together for every change.

                    The columns here are one plain off-heap segment for each field, written by hand; they show
                    what the layout gives. Slipstream's huge list makes such columns from an interface, and a
                    cursor over them.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int count = plan.count("objects", 10, 1_000_000, 1_000_000);
        int serialised = plan.count("serialised objects", 10, 20_000, 1_000_000);
        long heap = plan.size(1L << 30, 1L << 30, 3L << 30);
        plan.add("columns off-heap", () -> columns(count)).needsForeignMemory();
        plan.add("Slipstream's huge list", () -> hugeList(count)).needsJdk(LIST_JDK);
        plan.add("list of beans", () -> beans(count));
        plan.add("Externalizable bytes", () -> bytes(serialised, External::new))
                .heap(heap)
                .warmUp(Duration.ofSeconds(1));
        plan.add("Serializable bytes", () -> bytes(serialised, Serial::new))
                .heap(heap)
                .warmUp(Duration.ofSeconds(2));
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("ns/op", "list of beans", "columns off-heap").atLeast(1, "Beans against columns:"),
                () -> found.ratio("ns/op", "Externalizable bytes", "list of beans")
                        .atLeast(100, "Externalizable bytes against beans:"),
                () -> found.ratio("ns/op", "Serializable bytes", "Externalizable bytes")
                        .atLeast(2, "Serializable against Externalizable bytes:"));
    }

    private static Workload columns(int count) {
        MemorySegment column = Arena.ofAuto().allocate((long) count * Long.BYTES, Long.BYTES);
        return round -> {
            long before = column.getAtIndex(ValueLayout.JAVA_LONG, 0);
            long start = System.nanoTime();
            for (long i = 0; i < count; i++) {
                column.setAtIndex(ValueLayout.JAVA_LONG, i, column.getAtIndex(ValueLayout.JAVA_LONG, i) + 1);
            }
            round.nanosPerOp(System.nanoTime() - start, count);
            round.check("last field", before + 1, column.getAtIndex(ValueLayout.JAVA_LONG, count - 1L));
        };
    }

    private static Workload hugeList(int count) {
        HugeList<HugeCollection.Row> rows = HugeList.of(HugeCollection.Row.class);
        for (int i = 0; i < count; i++) {
            rows.append().setL("text");
        }
        return round -> {
            long before = rows.longs("h").get(0);
            Cursor<HugeCollection.Row> cursor = rows.cursor();
            long start = System.nanoTime();
            while (cursor.next()) {
                HugeCollection.Row row = cursor.element();
                row.setH(row.getH() + 1);
            }
            round.nanosPerOp(System.nanoTime() - start, count);
            round.check("last field", before + 1, rows.longs("h").get(count - 1L));
        };
    }

    private static Workload beans(int count) {
        List<Serial> beans = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            beans.add(new Serial());
        }
        return round -> {
            long before = beans.get(0).getCount();
            long start = System.nanoTime();
            for (Serial bean : beans) {
                bean.setCount(bean.getCount() + 1);
            }
            round.nanosPerOp(System.nanoTime() - start, count);
            round.check("last field", before + 1, beans.get(count - 1).getCount());
        };
    }

    private static <T extends Bean> Workload bytes(int count, Supplier<T> source) throws IOException {
        List<byte[]> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(write(source.get()));
        }
        return round -> {
            long before = read(list.get(0)).getCount();
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                Bean bean = read(list.get(i));
                bean.setCount(bean.getCount() + 1);
                list.set(i, write(bean));
            }
            round.nanosPerOp(System.nanoTime() - start, count);
            round.check("last field", before + 1, read(list.get(count - 1)).getCount());
        };
    }

    private static byte[] write(Bean bean) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(bean);
        }
        return bytes.toByteArray();
    }

    private static Bean read(byte[] bytes) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return (Bean) in.readObject();
        }
    }

    public interface Bean {
        long getCount();

        void setCount(long value);
    }

    /** Twelve fields, as in the article; one is used. */
    @SuppressWarnings("unused")
    private static final class Serial implements Bean, Serializable {
        private static final long serialVersionUID = 1L;

        private boolean a = true;
        private byte b = 1;
        private char c = 'c';
        private short d = 1;
        private int e = 1;
        private float f = 1;
        private double g = 1;
        private String h = "text";
        private int i = 1;
        private double j = 1;
        private int k = 1;
        private long count;

        @Override
        public long getCount() {
            return count;
        }

        @Override
        public void setCount(long value) {
            count = value;
        }
    }

    /** As {@link Serial}, with its format written out. Public, because deserialisation calls its constructor. */
    public static final class External implements Bean, Externalizable {
        private static final long serialVersionUID = 1L;

        private boolean a = true;
        private byte b = 1;
        private char c = 'c';
        private short d = 1;
        private int e = 1;
        private float f = 1;
        private double g = 1;
        private String h = "text";
        private int i = 1;
        private double j = 1;
        private int k = 1;
        private long count;

        public External() {}

        @Override
        public long getCount() {
            return count;
        }

        @Override
        public void setCount(long value) {
            count = value;
        }

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeBoolean(a);
            out.writeByte(b);
            out.writeChar(c);
            out.writeShort(d);
            out.writeInt(e);
            out.writeFloat(f);
            out.writeDouble(g);
            out.writeUTF(h);
            out.writeInt(i);
            out.writeDouble(j);
            out.writeInt(k);
            out.writeLong(count);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException {
            a = in.readBoolean();
            b = in.readByte();
            c = in.readChar();
            d = in.readShort();
            e = in.readInt();
            f = in.readFloat();
            g = in.readDouble();
            h = in.readUTF();
            i = in.readInt();
            j = in.readDouble();
            k = in.readInt();
            count = in.readLong();
        }
    }
}
