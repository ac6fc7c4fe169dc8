/**
 * Sockets from one seed, behind the interface that the JDK's own are behind.
 *
 * <pre>
 *   SocketChannel.write ──▶ Stream ── under way ──▶ arrived ──▶ SocketChannel.read at the other end
 *                             │          late, in crumbs, not at all
 *                             └── full: takes a part, or nothing
 *
 *   kill       the peer reads what is under way, then the end
 *   powerOff   the peer hears nothing, and is refused once the machine runs again
 *   cutOne     both ends fail, or one of them, and what is under way is lost
 *   partition  nothing arrives until it is over
 * </pre>
 */
@NullMarked
package io.slipstream.sim.network;

import org.jspecify.annotations.NullMarked;
