package io.slipstream.http.monitor;

import io.slipstream.core.counters.CounterValue;
import io.slipstream.http.config.MemberView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is known of a service at one moment.
 *
 * @param millis    since 1970
 * @param heard     whether it has ever answered
 * @param alive     whether it answers
 * @param error     why it does not, or nothing
 * @param logFull   whether its log has no room
 * @param waiting   which part of the HTTP requests that may wait for it do so, from 0 to 1
 * @param sequence  its last log entry, 0 if that is not known
 * @param recovery  how long its start took in nanoseconds, which tells one start from the next; 0 if that is not known
 * @param members   of the cluster that it belongs to; empty if there is none
 * @param counters  values of its counters, by owner and label with a slash between them
 */
record Signs(
        long millis,
        boolean heard,
        boolean alive,
        String error,
        boolean logFull,
        double waiting,
        long sequence,
        long recovery,
        List<MemberView> members,
        Map<String, Long> counters) {
    static Map<String, Long> byName(List<CounterValue> counters) {
        Map<String, Long> values = HashMap.newHashMap(counters.size());
        counters.forEach(each -> values.put(each.owner() + "/" + each.label(), each.value()));
        return values;
    }

    long counter(String name) {
        return counters.getOrDefault(name, 0L);
    }

    /** Returns which part of the capacity of an owner is taken, 0 if it has none. */
    double fill(String owner) {
        long capacity = counter(owner + "/capacity");
        return capacity == 0 ? 0 : (double) counter(owner + "/depth") / capacity;
    }
}
