/**
 * The rules of the house, checked over the whole source tree.
 *
 * <pre>
 *   source files --- LinesTest       no line is too long
 *               \--- PackagesTest    no package is crowded
 *   class files ---- PackagesTest    no package depends on itself by way of others
 *               \--- FloorsTest      no module depends on one above it
 *   public methods - CountsTest      no count does harm
 *               \--- TimesTest       no time overflows
 *   documents ------ LinksTest       each link leads somewhere
 *               \--- SnippetsTest    each block of Java compiles
 * </pre>
 *
 * The package {@code interrupts} looks at what an interrupt does to public methods. A <i>floor</i> is a module; {@link
 * io.slipstream.architecture.Floors} says which stands on which.
 */
package io.slipstream.architecture;
