/**
 * The seam between a service and the machine that it runs on.
 *
 * <pre>
 *   Service, ServiceClient ──▶ Host ──▶ system(): clock, sockets, files, threads of this process
 *                                  └──▶ a simulation: all of them from one seed, on one thread
 * </pre>
 */
@NullMarked
package io.slipstream.service.host;

import org.jspecify.annotations.NullMarked;
