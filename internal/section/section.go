// Package section is what a summary is put together of: a Section is made by the package that knows its figures, printed by package
// report and put in order by package check. It also has the words in which figures are printed.
package section

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A Section is a part of a summary. Package report prints its lines as they are.
type Section struct {
	Name  string `json:"name"`
	Value any    `json:"value"` // a struct, whose keys are keys of the JSON document; a json.RawMessage of one that was read back
	Lines []Line `json:"lines,omitempty"`
}

// A Line has a label in the left column.
type Line struct {
	Label string `json:"label"`
	Text  string `json:"text"`
}

// Add adds a line.
func (s *Section) Add(label, format string, args ...any) {
	s.Lines = append(s.Lines, Line{label, fmt.Sprintf(format, args...)})
}

// UnmarshalJSON reads a section back. Its value stays as it was written, so that it can be written again.
func (s *Section) UnmarshalJSON(b []byte) error {
	var value json.RawMessage
	fields := struct {
		Name  *string          `json:"name"`
		Value *json.RawMessage `json:"value"`
		Lines *[]Line          `json:"lines"`
	}{&s.Name, &value, &s.Lines}
	err := json.Unmarshal(b, &fields)
	s.Value = value
	return err
}

// Join writes values, each a JSON object, as one object that has the keys of all.
func Join(values ...any) (json.RawMessage, error) {
	all := []byte{'{'}
	for _, v := range values {
		b, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		if len(b) < 2 || b[0] != '{' {
			return nil, fmt.Errorf("%s is no JSON object", b)
		}
		if b = b[1 : len(b)-1]; len(b) > 0 {
			all = append(append(all, b...), ',')
		}
	}
	return append(bytes.TrimSuffix(all, []byte{','}), '}'), nil
}
