// Package must is for tests: it stops them at errors that say nothing about what they test.
package must

// Get is a value that has to come without an error.
func Get[T any](value T, err error) T {
	Do(err)
	return value
}

// Do demands that there is no error.
func Do(err error) {
	if err != nil {
		panic(err)
	}
}
