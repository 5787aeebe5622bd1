/**
 * Files that are kept from one check to the next in the cache folder: compiled classes, results of the analysis, the JDK's rewritten
 * classes. What is missing or torn is worked out again. Who keeps something decides what its name depends on.
 */
package harrier.runtime.cache;
