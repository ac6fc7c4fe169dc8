package io.slipstream.cluster.engine;

import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import java.util.stream.Collectors;

/** Aeron's names for where members are. */
final class Channels {
    private Channels() {}

    /** Ingress, consensus, log, catch-up and archive of each member. */
    static String members(Members members) {
        return members.all().stream()
                .map(member -> String.join(
                        ",",
                        Integer.toString(member.id()),
                        member.ingress(),
                        member.consensus(),
                        member.log(),
                        member.catchUp(),
                        member.archive()))
                .collect(Collectors.joining("|"));
    }

    static String ingressEndpoints(Members members) {
        return members.all().stream()
                .map(member -> member.id() + "=" + member.ingress())
                .collect(Collectors.joining(","));
    }

    static String udp(ClusterConfig config) {
        return "aeron:udp?term-length=" + config.termBytes();
    }

    static String anyPort(MemberAddress member) {
        return "aeron:udp?endpoint=" + member.host() + ":0";
    }

    static String at(String endpoint) {
        return "aeron:udp?endpoint=" + endpoint;
    }
}
