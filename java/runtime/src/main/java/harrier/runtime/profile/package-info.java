/**
 * Where Java's time goes, for {@code --profile}: {@link harrier.runtime.profile.Profile} looks at the threads that answer questions a
 * hundred times a second.
 */
package harrier.runtime.profile;
