package serializer

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Format shows a value to people, on one line. Different values may have the same text: an int and
// a long of 1 do, and the class of a collection does not show. A ref shows what it names if that has no parts of its own
// and a short text, and else the class of it: ^Node.
func Format(v Value) string { return Labels(nil).Format(v) }

// Format shows a value as the function Format does, with the labels of classes.
func (l Labels) Format(v Value) string {
	return l.text(&v, partsOf(&v))
}

// A writer shows values.
type writer struct {
	strings.Builder
	labels Labels
	parts  numbered // of the tree that the values are of
}

// numbered are the numbered values of a tree, which is perhaps a part of a larger one, in the order of their numbers.
type numbered []*Value

func partsOf(v *Value) (list numbered) {
	var add func(*Value)
	add = func(v *Value) {
		if v.Kind.Numbered() {
			list = append(list, v)
		}
		v.Each(add)
	}
	add(v)
	return list
}

// named is what a ref names, if that is in the tree, and any other value itself.
func (n numbered) named(v *Value) *Value {
	if v == nil || v.Kind != Ref || len(n) == 0 || v.Number < n[0].Number || v.Number-n[0].Number >= len(n) {
		return v
	}
	return n[v.Number-n[0].Number]
}

// atRef is the longest text of what a ref names that is shown in the place of the ref.
const atRef = 80

func (w *writer) format(v *Value) {
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
	case Name:
		w.WriteString(bare(v.Text))
	case Enum:
		if v.isHidden() {
			w.WriteString(bare(w.labels.Of(v.ClassName)) + "{…}")
			return
		}
		w.WriteString(bare(w.labels.constant(v)))
	case Ref:
		w.formatRef(v)
	case Bytes:
		w.WriteString("0x" + hex.EncodeToString([]byte(v.Text)))
	default:
		w.formatCompound(v)
	}
}

func (w *writer) formatRef(v *Value) {
	to := w.parts.named(v)
	if isFlat(to) {
		if text := w.labels.text(to, nil); len(text) <= atRef {
			w.WriteString(text)
			return
		}
	}
	switch to.Kind {
	case Ref:
		fmt.Fprintf(w, "^%d", to.Number)
	case Actor:
		w.WriteString("^" + bare(to.Text))
	case Object:
		w.WriteString("^" + bare(w.labels.Of(to.ClassName)))
	default:
		w.WriteString("^" + strings.ReplaceAll(to.Kind.String(), " ", "-"))
	}
}

// isFlat reports whether v is bytes, or an object whose fields have no parts.
func isFlat(v *Value) bool {
	return v.Kind == Bytes || v.Kind == Object &&
		!slices.ContainsFunc(v.Fields, func(f Field) bool { return f.Value.Kind == Ref || f.Value.Kind.hasParts() })
}

func (w *writer) formatCompound(v *Value) {
	switch v.Kind {
	case Optional:
		if len(v.Elements) == 0 {
			w.WriteString("Optional.empty")
			return
		}
		w.WriteString("Optional")
		w.formatElements(v, "[", "]")
	case Record:
		if v.ClassName == "java.lang.Class" && len(v.Fields) == 1 {
			w.WriteString(bare(w.labels.Of(v.Fields[0].Value.Text)) + ".class")
			return
		}
		w.formatFields(v, "(", ")")
	case Object:
		if v.ClassName == scalaList {
			w.formatScalaList(v)
			return
		}
		w.formatFields(v, "{", "}")
	case Actor:
		w.WriteString(bare(v.Text) + ": ")
		w.formatFields(v, "{", "}")
	case Array, List, ImmutableList, NullableList:
		if v.isOrderedSet() {
			w.formatElements(v, "{", "}")
			return
		}
		w.formatElements(v, "[", "]")
	case Set, ImmutableSet:
		w.formatElements(v, "{", "}")
	case Map, OrderedMap, ImmutableMap:
		w.formatEntries(v)
	default: // null, false, true
		w.WriteString(v.Kind.String())
	}
}

func (w *writer) formatFields(v *Value, open, end string) {
	w.WriteString(bare(w.labels.Of(v.ClassName)) + open)
	shown := 0
	for i := range v.Fields {
		if v.Fields[i].Value.isHidden() {
			continue
		}
		w.comma(shown)
		shown++
		w.WriteString(bare(w.labels.Field(v.Fields[i].Name)) + "=")
		w.format(&v.Fields[i].Value)
	}
	w.WriteString(end)
}

func (w *writer) formatElements(v *Value, open, end string) {
	w.WriteString(open)
	for i := range v.Elements {
		w.comma(i)
		w.format(&v.Elements[i])
	}
	w.WriteString(end)
}

func (w *writer) formatEntries(v *Value) {
	w.WriteString("{")
	for i := range v.Entries {
		w.comma(i)
		w.format(&v.Entries[i].Key)
		w.WriteString(": ")
		w.format(&v.Entries[i].Value)
	}
	w.WriteString("}")
}

// scalaList is the class of a list of Scala with an element: its first one and the rest, which are its fields.
const scalaList = "scala.collection.immutable.$colon$colon"

// formatScalaList writes List(1, 2), as Scala does, with a ref at the end if the rest of the list is shared.
func (w *writer) formatScalaList(v *Value) {
	w.WriteString("List(")
	for n := 0; ; n++ {
		w.comma(n)
		if v.Kind != Object || v.ClassName != scalaList || len(v.Fields) != 2 {
			w.format(v)
			break
		}
		w.format(&v.Fields[0].Value)
		if v = &v.Fields[1].Value; v.Kind == Enum {
			break // Nil
		}
	}
	w.WriteString(")")
}

func (w *writer) comma(i int) {
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
