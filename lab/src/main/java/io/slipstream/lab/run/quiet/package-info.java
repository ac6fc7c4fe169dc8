/** How quiet the machine is while a case runs: hiccups, processor time of others, counters, the distance of cores. */
@NullMarked
package io.slipstream.lab.run.quiet;

import org.jspecify.annotations.NullMarked;
