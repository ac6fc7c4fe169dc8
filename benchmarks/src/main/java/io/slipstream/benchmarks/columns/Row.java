package io.slipstream.benchmarks.columns;

/** Twelve fields, as in the article on huge collections of 2011. */
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

    /** Sets all fields by a number. */
    static void fill(Row row, int i) {
        row.setA((i & 1) != 0);
        row.setB((byte) i);
        row.setC((char) i);
        row.setD((short) i);
        row.setE(i);
        row.setF(i);
        row.setG(i);
        row.setH(i);
        row.setI(-i);
        row.setJ(-i);
        row.setK(i >>> 1);
        row.setL((i & 1) != 0 ? "buy" : "sell");
    }

    /** Reads all fields into one number. */
    static long digest(Row row) {
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
}
