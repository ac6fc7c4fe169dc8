package io.slipstream.lab.run;

/** The main program that tells whether a JVM starts one at all. */
public final class Start {
    private Start() {}

    public static void main(String[] args) {}
}
