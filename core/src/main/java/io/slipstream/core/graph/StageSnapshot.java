package io.slipstream.core.graph;

import java.util.List;

/**
 * One stage of a graph at one moment.
 *
 * @param name     of the stage
 * @param behind   names of the stages that it waits for; none for those that read what is published
 * @param position how far it has come
 * @param lag      what is claimed and not yet passed by it, in events or bytes
 */
public record StageSnapshot(String name, List<String> behind, long position, long lag) {}
