package frame

import (
	"bytes"
	"fmt"
	"os"

	"harrier/internal/files"
)

// Replace puts text into a file in place of what is there between the marks of a name, which are comments in Markdown:
//
//	<!-- NAME: begin -->
//	<!-- NAME: end -->
func Replace(path, name string, text []byte) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	begin, end := fmt.Appendf(nil, "<!-- %s: begin -->\n", name), fmt.Appendf(nil, "<!-- %s: end -->", name)
	before, rest, found := bytes.Cut(content, begin)
	_, after, closed := bytes.Cut(rest, end)
	if !found || !closed {
		return fmt.Errorf("%s has no place for the table: put %s before it and %s behind it, each on a line", path, bytes.TrimSpace(begin), end)
	}
	return files.WriteWhole(path, bytes.Join([][]byte{before, begin, text, end, after}, nil))
}
