package serializer

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Format shows a value to people, on one line. Different values may read alike: an int and
// a long of 1 do, and the class of a collection does not show.
func Format(v Value) string {
	var w strings.Builder
	format(&w, &v)
	return w.String()
}

func format(w *strings.Builder, v *Value) {
	switch v.Kind {
	case Byte, Short, Int, Long:
		w.WriteString(strconv.FormatInt(v.Int, 10))
	case Char:
		w.WriteString(quoteChar(rune(v.Int)))
	case Float:
		w.WriteString(strconv.FormatFloat(v.Float(), 'g', -1, 32))
	case Double:
		w.WriteString(strconv.FormatFloat(v.Float(), 'g', -1, 64))
	case String:
		w.WriteString(strconv.Quote(v.Text))
	case CodeUnits:
		w.WriteString(quoteUnits(v.units()))
	case Name, Enum:
		w.WriteString(bare(v.Text))
	case Ref:
		fmt.Fprintf(w, "^%d", v.Number)
	case Bytes:
		w.WriteString("0x" + hex.EncodeToString([]byte(v.Text)))
	default:
		formatCompound(w, v)
	}
}

func formatCompound(w *strings.Builder, v *Value) {
	switch v.Kind {
	case Optional:
		if len(v.Elements) == 0 {
			w.WriteString("Optional.empty")
			return
		}
		w.WriteString("Optional")
		formatElements(w, v, "[", "]")
	case Record:
		formatFields(w, v, "(", ")")
	case Object:
		formatFields(w, v, "{", "}")
	case Actor:
		w.WriteString(bare(v.Text) + ": ")
		formatFields(w, v, "{", "}")
	case Array, List, ImmutableList, NullableList:
		formatElements(w, v, "[", "]")
	case Set, ImmutableSet:
		formatElements(w, v, "{", "}")
	case Map, OrderedMap, ImmutableMap:
		formatEntries(w, v)
	default: // null, false, true
		w.WriteString(v.Kind.String())
	}
}

func formatFields(w *strings.Builder, v *Value, open, end string) {
	w.WriteString(bare(v.Class()) + open)
	for i := range v.Fields {
		comma(w, i)
		w.WriteString(bare(v.Fields[i].Name) + "=")
		format(w, &v.Fields[i].Value)
	}
	w.WriteString(end)
}

func formatElements(w *strings.Builder, v *Value, open, end string) {
	w.WriteString(open)
	for i := range v.Elements {
		comma(w, i)
		format(w, &v.Elements[i])
	}
	w.WriteString(end)
}

func formatEntries(w *strings.Builder, v *Value) {
	w.WriteString("{")
	for i := range v.Entries {
		comma(w, i)
		format(w, &v.Entries[i].Key)
		w.WriteString(": ")
		format(w, &v.Entries[i].Value)
	}
	w.WriteString("}")
}

func comma(w *strings.Builder, i int) {
	if i > 0 {
		w.WriteString(", ")
	}
}

// bare returns a name as it is, or quoted if it is empty or would spoil the line.
func bare(name string) string {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

// quoteChar writes a surrogate as its number, which strconv would write as U+FFFD.
func quoteChar(c rune) string {
	if utf16.IsSurrogate(c) {
		return fmt.Sprintf(`'\u%04x'`, c)
	}
	return strconv.QuoteRune(c)
}

// quoteUnits quotes as strconv.Quote does, and writes unpaired surrogates as \ud800.
func quoteUnits(units []uint16) string {
	var w strings.Builder
	w.WriteByte('"')
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		switch {
		case pairAt(units, i):
			r = utf16.DecodeRune(r, rune(units[i+1]))
			i++
		case utf16.IsSurrogate(r):
			fmt.Fprintf(&w, `\u%04x`, r)
			continue
		}
		quoted := strconv.Quote(string(r))
		w.WriteString(quoted[1 : len(quoted)-1])
	}
	w.WriteByte('"')
	return w.String()
}
