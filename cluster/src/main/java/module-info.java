/**
 * The same state machine on several machines, on Aeron Cluster; and a whole cluster in one JVM for tests. The JVM needs
 * {@code --add-opens java.base/jdk.internal.misc=org.agrona}, which Aeron asks for.
 */
// The simulation of a cluster is not there when this is compiled.
@SuppressWarnings("module")
module io.slipstream.cluster {
    requires static org.jspecify;
    requires transitive io.slipstream.service;
    requires io.aeron.client;
    requires io.aeron.driver;
    requires io.aeron.archive;
    requires io.aeron.cluster;
    requires jdk.unsupported;
    requires org.agrona;

    exports io.slipstream.cluster.backup;
    exports io.slipstream.cluster.config;
    exports io.slipstream.cluster.control;
    exports io.slipstream.cluster.files;
    exports io.slipstream.cluster.grid;
    exports io.slipstream.cluster.log to
            io.slipstream.sim;
    exports io.slipstream.cluster.member;
}
