package io.slipstream.benchmarks.columns;

/** A row on the heap. */
final class Bean implements Row {
    private boolean a;
    private byte b;
    private char c;
    private short d;
    private int e;
    private float f;
    private double g;
    private long h;
    private int i;
    private double j;
    private int k;
    private String l = "";

    @Override
    public boolean isA() {
        return a;
    }

    @Override
    public void setA(boolean a) {
        this.a = a;
    }

    @Override
    public byte getB() {
        return b;
    }

    @Override
    public void setB(byte b) {
        this.b = b;
    }

    @Override
    public char getC() {
        return c;
    }

    @Override
    public void setC(char c) {
        this.c = c;
    }

    @Override
    public short getD() {
        return d;
    }

    @Override
    public void setD(short d) {
        this.d = d;
    }

    @Override
    public int getE() {
        return e;
    }

    @Override
    public void setE(int e) {
        this.e = e;
    }

    @Override
    public float getF() {
        return f;
    }

    @Override
    public void setF(float f) {
        this.f = f;
    }

    @Override
    public double getG() {
        return g;
    }

    @Override
    public void setG(double g) {
        this.g = g;
    }

    @Override
    public long getH() {
        return h;
    }

    @Override
    public void setH(long h) {
        this.h = h;
    }

    @Override
    public int getI() {
        return i;
    }

    @Override
    public void setI(int i) {
        this.i = i;
    }

    @Override
    public double getJ() {
        return j;
    }

    @Override
    public void setJ(double j) {
        this.j = j;
    }

    @Override
    public int getK() {
        return k;
    }

    @Override
    public void setK(int k) {
        this.k = k;
    }

    @Override
    public String getL() {
        return l;
    }

    @Override
    public void setL(String l) {
        this.l = l;
    }
}
