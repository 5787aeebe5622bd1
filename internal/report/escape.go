package report

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Plain is a text of the program's or the user's as a terminal may get it, on one line: whatever does not print, control
// characters, line ends, marks that change the direction of writing and bytes that are no UTF-8, is escaped as in Go.
// All texts for people go through here; those for programs are escaped by their encoder.
func Plain(text string) string {
	if !strings.ContainsFunc(text, unprintable) && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for rest := text; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		if invalid := r == utf8.RuneError && size == 1; invalid || unprintable(r) {
			quoted := strconv.Quote(rest[:size])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(rest[:size])
		}
		rest = rest[size:]
	}
	return b.String()
}

// A PlainWriter writes what a program prints, line by line, as a terminal may get it. Flush writes a line without an end.
type PlainWriter struct {
	To   io.Writer
	line []byte
}

// longestLine is how many bytes of a line are kept until its end comes.
const longestLine = 1 << 16

// Write implements io.Writer.
func (p *PlainWriter) Write(b []byte) (int, error) {
	p.line = append(p.line, b...)
	for {
		end := bytes.IndexByte(p.line, '\n')
		if end < 0 && len(p.line) < longestLine {
			return len(b), nil
		}
		if end < 0 {
			end = len(p.line) - 1
		}
		line := strings.TrimRight(string(p.line[:end+1]), "\r\n")
		p.line = p.line[end+1:]
		if _, err := fmt.Fprintln(p.To, Plain(line)); err != nil {
			return 0, err
		}
	}
}

// Flush writes the text after the last end of a line.
func (p *PlainWriter) Flush() {
	if len(p.line) > 0 {
		fmt.Fprintln(p.To, Plain(string(p.line)))
		p.line = nil
	}
}

func unprintable(r rune) bool { return r != '\t' && !strconv.IsPrint(r) }

// Escaped is a copy of a document whose texts are all plain.
func Escaped[T any](document T) T { return mapped(document, Plain) }

// mapped is a copy of a document with what f gives for its texts.
func mapped[T any](document T, f func(string) string) T {
	var out T
	copyMapped(reflect.ValueOf(&out).Elem(), reflect.ValueOf(&document).Elem(), f)
	return out
}

// copyMapped sets a value to a copy of another one of its type. Fields that are not exported are shared.
func copyMapped(to, from reflect.Value, f func(string) string) {
	switch from.Kind() {
	case reflect.String:
		to.SetString(f(from.String()))
	case reflect.Pointer:
		if to.Set(from); !from.IsNil() {
			to.Set(reflect.New(from.Type().Elem()))
			copyMapped(to.Elem(), from.Elem(), f)
		}
	case reflect.Struct:
		to.Set(from)
		for i := range from.NumField() {
			if from.Type().Field(i).IsExported() {
				copyMapped(to.Field(i), from.Field(i), f)
			}
		}
	case reflect.Slice:
		if to.Set(from); !from.IsNil() {
			to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
		}
		for i := range from.Len() {
			copyMapped(to.Index(i), from.Index(i), f)
		}
	case reflect.Array:
		for i := range from.Len() {
			copyMapped(to.Index(i), from.Index(i), f)
		}
	case reflect.Map:
		if to.Set(from); !from.IsNil() {
			to.Set(reflect.MakeMap(from.Type()))
		}
		for i := from.MapRange(); i.Next(); {
			key, value := reflect.New(i.Key().Type()).Elem(), reflect.New(i.Value().Type()).Elem()
			copyMapped(key, i.Key(), f)
			copyMapped(value, i.Value(), f)
			to.SetMapIndex(key, value)
		}
	default:
		to.Set(from)
	}
}
