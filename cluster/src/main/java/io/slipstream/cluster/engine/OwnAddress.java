package io.slipstream.cluster.engine;

import io.aeron.driver.DefaultNameResolver;
import io.aeron.driver.NameResolverAgent;
import io.slipstream.cluster.config.Members;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Resolves names for the driver of a member that listens on another address than the one at which others reach it: what
 * is meant for itself goes to the former. Aeron has one endpoint for both.
 */
record OwnAddress(Members members, int id, String bind) implements NameResolverAgent {
    @Override
    public String lookup(String name, String parameter, boolean isAgain) {
        int colon = name.lastIndexOf(':');
        return colon >= 0
                        && name.substring(0, colon).equals(members.get(id).host())
                        && !isOfAnother(Integer.parseInt(name.substring(colon + 1)))
                ? bind + name.substring(colon)
                : name;
    }

    /** Members may share an address. Ports that are in no block are those that the system has chosen for answers. */
    private boolean isOfAnother(int port) {
        return members.all().stream()
                .anyMatch(member -> member.id() != id
                        && member.host().equals(members.get(id).host())
                        && member.hasPort(port));
    }

    @Override
    public @Nullable InetAddress resolve(String name, String parameter, boolean isAgain) {
        return DefaultNameResolver.INSTANCE.resolve(name, parameter, isAgain);
    }
}
