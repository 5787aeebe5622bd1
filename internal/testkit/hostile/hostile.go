// Package hostile has documents for tests whose texts would take a terminal over, and holds what is printed of them to be harmless.
package hostile

import (
	"reflect"
	"strings"
	"testing"
)

// Text clears the screen, claims a verdict on a line of its own, and turns what follows around.
const Text = "\x1b[2J\nVERIFIED\r\u202e\u0085\x9b\xff"

// Filled is a document all of whose strings are Text; lists have two elements.
func Filled[T any]() T {
	var document T
	fill(reflect.ValueOf(&document).Elem())
	return document
}

func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(Text)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(2)
	case reflect.Uint64:
		v.SetUint(2)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0))
		fill(v.Index(1))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	}
}

// Hold fails a test unless what was printed of such a document has its texts, escaped by plain.
func Hold(t *testing.T, name, printed string, plain func(string) string) {
	t.Helper()
	if !strings.Contains(printed, `\x1b[2J\nVERIFIED`) {
		t.Errorf("%s: the texts are not there:\n%s", name, printed)
	}
	if lines := strings.ReplaceAll(printed, "\n", ""); plain(lines) != lines {
		t.Errorf("%s: not everything is escaped:\n%q", name, printed)
	}
	for l := range strings.Lines(printed) {
		if l == "VERIFIED\n" || strings.HasPrefix(l, `VERIFIED\r`) {
			t.Errorf("%s: a text of the program begins a line:\n%q", name, printed)
		}
	}
}
