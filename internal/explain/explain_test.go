package explain

import (
	"bytes"
	"io"
	"testing"

	"harrier/internal/report"
	"harrier/internal/testkit/hostile"
)

// TestDocumentsAreEscaped has every string of every document be hostile.
func TestDocumentsAreEscaped(t *testing.T) {
	for name, document := range map[string]interface {
		Text(w io.Writer, p report.Painter)
	}{
		"decomposition": hostile.Filled[Decomposition](), "symmetry": hostile.Filled[Interchangeability](),
		"independence": hostile.Filled[Independence](), "components": hostile.Filled[Components](),
	} {
		var b bytes.Buffer
		document.Text(&b, report.NewPainter(false))
		hostile.Hold(t, name, b.String(), report.Plain)
	}
}
