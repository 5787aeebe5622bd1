package report

import (
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Plain is a text of the program's or the user's as a terminal may get it, on one line: whatever does not print, control
// characters, line ends, marks that change the direction of writing and bytes that are no UTF-8, is escaped as in Go.
// All that harrier prints for people goes through here; what programs read is escaped by its encoder.
func Plain(text string) string {
	if !strings.ContainsFunc(text, unprintable) && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for rest := text; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		if isByte := r == utf8.RuneError && size == 1; isByte || unprintable(r) {
			quoted := strconv.Quote(rest[:size])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(rest[:size])
		}
		rest = rest[size:]
	}
	return b.String()
}

func unprintable(r rune) bool { return r != '\t' && !strconv.IsPrint(r) }

// Escaped is a copy of a document whose texts are all plain.
func Escaped[T any](document T) T {
	var out T
	escape(reflect.ValueOf(&out).Elem(), reflect.ValueOf(&document).Elem())
	return out
}

// escape sets a value to a copy of another one of its type. Fields that are not exported are shared.
func escape(to, from reflect.Value) {
	switch from.Kind() {
	case reflect.String:
		to.SetString(Plain(from.String()))
	case reflect.Pointer:
		if to.Set(from); !from.IsNil() {
			to.Set(reflect.New(from.Type().Elem()))
			escape(to.Elem(), from.Elem())
		}
	case reflect.Struct:
		to.Set(from)
		for i := range from.NumField() {
			if from.Type().Field(i).IsExported() {
				escape(to.Field(i), from.Field(i))
			}
		}
	case reflect.Slice:
		if to.Set(from); !from.IsNil() {
			to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
		}
		for i := range from.Len() {
			escape(to.Index(i), from.Index(i))
		}
	case reflect.Map:
		if to.Set(from); !from.IsNil() {
			to.Set(reflect.MakeMap(from.Type()))
		}
		for i := from.MapRange(); i.Next(); {
			key, value := reflect.New(i.Key().Type()).Elem(), reflect.New(i.Value().Type()).Elem()
			escape(key, i.Key())
			escape(value, i.Value())
			to.SetMapIndex(key, value)
		}
	default:
		to.Set(from)
	}
}
