package io.slipstream.lab;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a reader is told about an experiment. Built with the methods that return {@code this}, then only read. */
public final class Card {
    private final String id;
    private final String title;
    private final Group group;
    private String question = "";
    private String rule = "";
    private String explanation = "";
    private String leftToFull = "";
    private Duration quick = Duration.ofSeconds(15);
    private Duration full = Duration.ofMinutes(5);
    private int cpus = 1;
    private double growth = 1;
    private boolean regardlessOfDistance;
    private boolean byThreads;
    private final List<Reported> reported = new ArrayList<>();
    private final List<Plot> plots = new ArrayList<>();

    private Card(String id, String title, Group group) {
        this.id = id;
        this.title = title;
        this.group = group;
    }

    public static Card of(String id, String title, Group group) {
        return new Card(id, title, group);
    }

    public Card question(String text) {
        question = text;
        return this;
    }

    /** The rule of the verdict, in words. */
    public Card rule(String text) {
        rule = text;
        return this;
    }

    /** What the hardware does, and what to do about it. Paragraphs are separated by an empty line. */
    public Card explanation(String text) {
        explanation = text.strip();
        return this;
    }

    /** What the quick form leaves to the full one, as the end of the sentence "The quick form leaves out …". */
    public Card leavesToFull(String what) {
        leftToFull = what;
        return this;
    }

    /** About how long it takes on two processors. */
    public Card takes(Duration quickForm, Duration fullForm) {
        quick = quickForm;
        full = fullForm;
        return this;
    }

    /** It has a point for each number of {@linkplain Plan#threads threads}, so it takes longer on more processors. */
    public Card growsWithThreads(int max) {
        byThreads = true;
        return grows((double) Plan.threads(max, Runtime.getRuntime().availableProcessors()).length
                / Plan.threads(max, 2).length);
    }

    /** It takes so many times as long here as on two processors. */
    public Card grows(double factor) {
        growth = factor;
        return this;
    }

    /** The claim is about at least this many processors; with fewer it is measured but not judged. */
    public Card needsCpus(int wanted) {
        cpus = wanted;
        return this;
    }

    /**
     * Its figures are far above the time that a line takes from one processor to another, so that {@linkplain
     * Findings#DISTANCE how far apart these are} plays no part in them.
     */
    public Card regardlessOfDistance() {
        regardlessOfDistance = true;
        return this;
    }

    /** A figure from the articles, and where its counterpart stands among the findings. */
    public Card reported(String what, String figure, String machine, String series, Object x, String metric) {
        reported.add(new Reported(what, figure, machine, series, String.valueOf(x), metric));
        return this;
    }

    public Card plot(Plot plot) {
        plots.add(plot);
        return this;
    }

    public String id() {
        return id;
    }

    public String title() {
        return title;
    }

    public Group group() {
        return group;
    }

    public String question() {
        return question;
    }

    public String rule() {
        return rule;
    }

    public String explanation() {
        return explanation;
    }

    /** What the quick form leaves out, or nothing. */
    public String leftToFull() {
        return leftToFull;
    }

    public int cpus() {
        return cpus;
    }

    /** Whether the x of its cases is a number of threads, each of which has a processor. */
    public boolean isByThreads() {
        return byThreads;
    }

    /** Whether its figures move with the distance of the processors. */
    public boolean dependsOnDistance() {
        return cpus > 1 && !regardlessOfDistance;
    }

    /** About how long it takes with the processors that there are. */
    public Duration takes(Form form) {
        return Duration.ofSeconds(Math.max(1, Math.round(takesOnTwo(form).toSeconds() * growth)));
    }

    /** About how long it takes on two processors. */
    public Duration takesOnTwo(Form form) {
        return switch (form) {
            case TINY -> Duration.ofSeconds(1);
            case QUICK -> quick;
            case FULL -> full;
        };
    }

    public List<Reported> reported() {
        return reported;
    }

    public List<Plot> plots() {
        return plots;
    }

    /** A figure that was reported, and the key of the one measured here. */
    public record Reported(String what, String figure, String machine, String series, String x, String metric) {}
}
