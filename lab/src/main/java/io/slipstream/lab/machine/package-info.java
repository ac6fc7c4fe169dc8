/**
 * What the machine is: processors, caches, memory, kernel, JVMs, disks, and what there is to be careful about.
 */
@NullMarked
package io.slipstream.lab.machine;

import org.jspecify.annotations.NullMarked;
