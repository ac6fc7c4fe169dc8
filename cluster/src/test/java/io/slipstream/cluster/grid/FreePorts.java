package io.slipstream.cluster.grid;

import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Members on free ports, for tests that start them as processes. */
public final class FreePorts {
    private FreePorts() {}

    /** Returns so many members of this machine; {@link #giveBack} ends that. */
    public static Members members(int count) throws IOException {
        List<MemberAddress> addresses = new ArrayList<>();
        for (int id = 0; id < count; id++) {
            addresses.add(new MemberAddress(id, "127.0.0.1", Ports.block()));
        }
        return new Members(addresses);
    }

    /** Lets others have the ports. */
    public static void giveBack(Members members) {
        members.all().forEach(member -> Ports.giveBack(member.port()));
    }
}
