package io.slipstream.lab.experiment.product;

import io.slipstream.data.list.Cursor;
import io.slipstream.data.list.HugeList;
import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.lang.invoke.MethodHandles;
import java.time.Duration;

/** P4: objects of twelve fields in Slipstream's huge list. */
public final class HugeCollection implements Experiment {
    private static final int JDK = 25;
    private static final int STEP = 514_229;

    @Override
    public Card card() {
        return Card.of("P4", "Slipstream's huge list", Group.DATA)
                .question("What does it take to add an object of twelve fields to a huge list, to read it in order and"
                        + " at random, and to update one field?")
                .reported("Adding one of a billion", "about 110 ns", "August 2011", "huge list", "add", "ns/op")
                .reported("Reading one, in order", "about 110 ns", "August 2011", "huge list", "read in order", "ns/op")
                .reported(
                        "Reading one at random",
                        "about 600 ns, from a fast SSD",
                        "August 2011",
                        "huge list",
                        "read at random",
                        "ns/op")
                .reported(
                        "Updating a field", "5.1 ns (laptop 33)", "August 2011", "huge list", "update a field", "ns/op")
                .plot(Plot.bars("ns/op").log())
                .takes(Duration.ofSeconds(5), Duration.ofMinutes(6))
                .rule("Holds when adding an object and reading one in order take at most 110 ns each, and updating a"
                        + " field at most 10 ns. Reading at random is shown, and not judged: it is from memory here.")
                .explanation("""
                    An interface describes the element; the list makes a class for it that reads and writes columns
                    outside the heap. A walk that uses one field touches one column; the collector sees none of
                    it.

                    B26 compares the layouts with columns written by hand. Take a huge list where objects are many
                    and small, and live long.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int count = plan.count("objects", 1_000, 1_000_000, 50_000_000);
        plan.add("huge list", () -> list(count)).needsMemory(100L * count).needsJdk(JDK);
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.range("huge list", "add", "ns/op").atMost(110, "Adding, ns:"),
                () -> found.range("huge list", "read in order", "ns/op").atMost(110, "Reading in order, ns:"),
                () -> found.range("huge list", "update a field", "ns/op").atMost(10, "Updating a field, ns:"));
    }

    private static Workload list(int count) {
        return round -> {
            try (HugeList<Row> rows =
                    HugeList.builder(Row.class).lookup(MethodHandles.lookup()).inMemory()) {
                long start = System.nanoTime();
                for (int i = 0; i < count; i++) {
                    fill(rows.append(), i);
                }
                record(round, "add", start, count);
                start = System.nanoTime();
                long sum = 0;
                Cursor<Row> cursor = rows.cursor();
                while (cursor.next()) {
                    sum += digest(cursor.element());
                }
                record(round, "read in order", start, count);
                round.check("sum of the fields", (count - 1L) * count / 2 * 4 + 8L * count, sum);
                start = System.nanoTime();
                sum = 0;
                for (int i = 0, at = 0; i < count; i++) {
                    at = (int) ((at + (long) STEP) % count);
                    sum += cursor.moveTo(at).element().getH() - at;
                }
                record(round, "read at random", start, count);
                round.check("differences", 0, sum);
                start = System.nanoTime();
                cursor = rows.cursor();
                while (cursor.next()) {
                    Row row = cursor.element();
                    row.setE(row.getE() + 1);
                }
                record(round, "update a field", start, count);
                round.check(
                        "last field",
                        count,
                        rows.cursor().moveTo(count - 1).element().getE());
            }
        };
    }

    private static void record(Round round, String what, long start, int count) {
        round.record("ns/op", what, (double) (System.nanoTime() - start) / count);
    }

    private static void fill(Row row, int i) {
        row.setA(true);
        row.setB((byte) 1);
        row.setC((char) 1);
        row.setD((short) 1);
        row.setE(i);
        row.setF(1);
        row.setG(1);
        row.setH(i);
        row.setI(i);
        row.setJ(1);
        row.setK(i);
        row.setL("a");
    }

    private static long digest(Row row) {
        return (row.isA() ? 1 : 0)
                + row.getB()
                + row.getC()
                + row.getD()
                + row.getE()
                + (long) row.getF()
                + (long) row.getG()
                + row.getH()
                + row.getI()
                + (long) row.getJ()
                + row.getK()
                + row.getL().length();
    }

    /** Twelve fields of all kinds. Public, because the list makes a class for it. */
    public interface Row {
        boolean isA();

        void setA(boolean a);

        byte getB();

        void setB(byte b);

        char getC();

        void setC(char c);

        short getD();

        void setD(short d);

        int getE();

        void setE(int e);

        float getF();

        void setF(float f);

        double getG();

        void setG(double g);

        long getH();

        void setH(long h);

        int getI();

        void setI(int i);

        double getJ();

        void setJ(double j);

        int getK();

        void setK(int k);

        String getL();

        void setL(String l);
    }
}
