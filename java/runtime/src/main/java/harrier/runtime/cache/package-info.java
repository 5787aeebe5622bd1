/**
 * Files that are kept from one check to the next in the cache folder: compiled classes, results of the analysis, the JDK's rewritten
 * classes. Results that are missing or torn are worked out again. The caller chooses the
 * name of a file, which has to depend on all that its content does.
 */
package harrier.runtime.cache;
