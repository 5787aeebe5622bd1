// Package limits ends a process with a line, before Go's runtime starts, that may have less of the system than that needs: it
// would end with a stack trace. To import it is all.
package limits
