package report

// ErrorKind says what broke down.
type ErrorKind string

// The kinds of errors.
const (
	UsageKind    ErrorKind = "usage"    // wrong use, or a program that cannot be loaded
	RuleKind     ErrorKind = "rule"     // the program broke a rule of the checker
	LimitKind    ErrorKind = "limit"    // time or memory ran out before there was a verdict
	InternalKind ErrorKind = "internal" // a fault of harrier's
)

// Error is why a command gave no result.
type Error struct {
	Kind   ErrorKind `json:"kind"`
	Text   string    `json:"text"`   // one line
	Detail []string  `json:"detail"` // further lines, such as a compiler's
}

// String is the one line, as people read it.
func (e Error) String() string {
	if e.Kind == InternalKind {
		return "internal error: " + e.Text
	}
	return e.Text
}

// ErrorDocument is the JSON document that --json prints in place of a result. Other documents have no Error.
type ErrorDocument struct {
	Version int    `json:"version"`
	Error   *Error `json:"error"`
}

// NewErrorDocument is the document of an error.
func NewErrorDocument(e Error) *ErrorDocument {
	e.Detail = append([]string{}, e.Detail...) // a list even where there are no lines
	return &ErrorDocument{SummaryVersion, &e}
}
