package io.slipstream.benchmarks.ring;

import com.lmax.disruptor.dsl.Disruptor;
import io.slipstream.core.graph.EventGraph;

/** How the stages of a stream depend on each other. */
enum Shape {
    UNICAST(1),
    PIPELINE(3),
    DIAMOND(3),
    MULTICAST(3);

    final int stages;

    Shape(int stages) {
        this.stages = stages;
    }

    void build(EventGraph<Event> graph, Adder[] a) {
        switch (this) {
            case UNICAST -> graph.handleEventsWith(a[0]);
            case PIPELINE -> graph.handleEventsWith(a[0]).then(a[1]).then(a[2]);
            case DIAMOND -> graph.handleEventsWith(a[0], a[1]).then(a[2]);
            case MULTICAST -> graph.handleEventsWith(a);
        }
    }

    void build(Disruptor<Event> graph, Adder[] a) {
        switch (this) {
            case UNICAST -> graph.handleEventsWith(a[0]);
            case PIPELINE -> graph.handleEventsWith(a[0]).then(a[1]).then(a[2]);
            case DIAMOND -> graph.handleEventsWith(a[0], a[1]).then(a[2]);
            case MULTICAST -> graph.handleEventsWith(a);
        }
    }
}
