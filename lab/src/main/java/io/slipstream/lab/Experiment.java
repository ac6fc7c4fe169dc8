package io.slipstream.lab;

/**
 * A question to the machine, the cases that answer it, and the rule by which the answer is read.
 *
 * <p>Every experiment is one file in {@code io.slipstream.lab.experiment}, listed in its {@code Catalog}. It is
 * stateless: the cases are planned once in the process that runs the lab and again in each forked JVM, which picks its
 * own case by name.
 */
public interface Experiment {

    /** What a reader wants to know before and after: the question, what was reported, how to draw it, what it means. */
    Card card();

    /**
     * Adds the cases. Must add the same ones for the same form, processors and directory: a forked JVM repeats the
     * call.
     */
    void plan(Plan plan);

    /**
     * Reads the verdict from the data alone. A figure that is missing makes the verdict {@link
     * Verdict.Kind#CANNOT_TELL}.
     */
    Verdict judge(Findings found);
}
