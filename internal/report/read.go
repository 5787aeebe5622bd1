package report

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strconv"
	"strings"

	"harrier/internal/model/network"
	"harrier/internal/property"
	"harrier/serializer"
)

// mostTraceBytes is far more than a trace takes with all classes of a large program.
const mostTraceBytes = 256 << 20

// ReadTrace reads a trace file. It may come from anywhere: anything that harrier does not write is an error of one line that
// says where, so that whoever executes the trace need not look again.
func ReadTrace(path string) (*Trace, error) {
	b, err := readRegular(path)
	if err != nil {
		return nil, fmt.Errorf("reading the trace: %w", err)
	}
	document, err := parse(b)
	if v, other := otherVersion(document); other {
		return nil, fmt.Errorf("%s is a trace of version %s: this harrier replays version %d", path, v, traceVersion)
	}
	t := &Trace{}
	if err == nil {
		err = set(reflect.ValueOf(t).Elem(), "", document)
	}
	if err == nil {
		err = t.validate()
	}
	if err != nil {
		return nil, fmt.Errorf("%s is no trace of harrier's: %w", path, err)
	}
	return t, nil
}

func readRegular(path string) ([]byte, error) {
	switch info, err := os.Stat(path); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case info.Size() > mostTraceBytes:
		return nil, fmt.Errorf("%s has %d MiB, and a trace at most %d", path, info.Size()>>20, mostTraceBytes>>20)
	}
	return os.ReadFile(path)
}

// parse reads JSON, whatever it says.
func parse(b []byte) (document any, err error) {
	in := json.NewDecoder(bytes.NewReader(b))
	in.UseNumber()
	err = in.Decode(&document)
	if _, more := in.Token(); err == nil && more != io.EOF {
		err = errors.New("there is more behind the end of the document")
	}
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF):
		err = errors.New("it is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("it ends in the middle")
	case errors.As(err, &syntax):
		err = fmt.Errorf("line %d: %w", 1+bytes.Count(b[:min(int(syntax.Offset), len(b))], []byte("\n")), err)
	}
	return document, err
}

// otherVersion is the version of a document, if it is not the version that can be read.
func otherVersion(document any) (json.Number, bool) {
	object, _ := document.(map[string]any)
	v, ok := object["version"].(json.Number)
	return v[:min(len(v), 20)], ok && v.String() != strconv.Itoa(traceVersion)
}

// set gives a part of a trace what the document has in its place. All keys must be there that are always written, and none
// is taken for another one.
func set(part reflect.Value, path string, in any) error {
	wrong := func(wanted string) error {
		return fmt.Errorf("%s is %s, and must be %s", strings.TrimPrefix(path, "."), jsonKind(in), wanted)
	}
	switch part.Kind() {
	case reflect.String:
		s, ok := in.(string)
		if !ok {
			return wrong("a string")
		}
		part.SetString(s)
	case reflect.Bool:
		b, ok := in.(bool)
		if !ok {
			return wrong("true or false")
		}
		part.SetBool(b)
	case reflect.Int:
		n, _ := in.(json.Number)
		i, err := strconv.ParseInt(n.String(), 10, 32)
		if err != nil || i < 0 {
			return wrong("a whole number from 0")
		}
		part.SetInt(i)
	case reflect.Pointer:
		if in == nil {
			return nil
		}
		part.Set(reflect.New(part.Type().Elem()))
		return set(part.Elem(), path, in)
	case reflect.Slice:
		return setList(part, path, in, wrong)
	default:
		object, ok := in.(map[string]any)
		if !ok && path == "" {
			return errors.New("it is no JSON object")
		} else if !ok {
			return wrong("an object")
		}
		if part.Kind() == reflect.Map {
			return setMap(part, path, object)
		}
		return setFields(part, path, object)
	}
	return nil
}

func setList(part reflect.Value, path string, in any, wrong func(string) error) error {
	if part.Type().Elem().Kind() == reflect.Uint8 {
		text, ok := in.(string)
		b, err := base64.StdEncoding.DecodeString(text)
		if !ok || err != nil {
			return wrong("bytes in base64")
		}
		part.SetBytes(b)
		return nil
	}
	list, ok := in.([]any)
	if !ok && in != nil { // an empty list may be written as null
		return wrong("a list")
	}
	part.Set(reflect.MakeSlice(part.Type(), len(list), len(list)))
	for i, element := range list {
		if err := set(part.Index(i), fmt.Sprintf("%s[%d]", path, i), element); err != nil {
			return err
		}
	}
	return nil
}

func setMap(part reflect.Value, path string, object map[string]any) error {
	part.Set(reflect.MakeMap(part.Type()))
	for key, in := range object {
		value := reflect.New(part.Type().Elem()).Elem()
		if err := set(value, fmt.Sprintf("%s[%q]", path, key), in); err != nil {
			return err
		}
		part.SetMapIndex(reflect.ValueOf(key), value)
	}
	return nil
}

func setFields(part reflect.Value, path string, object map[string]any) error {
	for i := range part.NumField() {
		field := part.Type().Field(i)
		if field.Anonymous {
			if err := setFields(part.Field(i), path, object); err != nil {
				return err
			}
			continue
		}
		key, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		in, ok := object[key]
		if !ok && options == "omitempty" {
			continue
		} else if !ok {
			return fmt.Errorf("%s is missing", strings.TrimPrefix(path+"."+key, "."))
		}
		if err := set(part.Field(i), path+"."+key, in); err != nil {
			return err
		}
	}
	return nil
}

// jsonKind is what a value is, in words.
func jsonKind(in any) string {
	switch in := in.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case json.Number:
		return "the number " + in.String()[:min(len(in), 20)]
	case bool:
		return fmt.Sprint(in)
	case []any:
		return "a list"
	}
	return "an object"
}

// validate looks for values that have the right type but cannot be executed.
func (t *Trace) validate() error {
	if _, err := network.ParseDeliveryModel(t.Model); err != nil {
		return fmt.Errorf("model: %w", err)
	}
	if t.Scenario == "" {
		return errors.New("scenario is empty")
	}
	if len(t.Classes) == 0 {
		return errors.New("classes is empty")
	}
	names := map[string]bool{}
	for i, p := range t.Parameters {
		if names[p.Name] {
			return fmt.Errorf("parameters[%d].name is %q for the second time", i, p.Name)
		}
		names[p.Name] = true
	}
	switch k := t.Violation.Kind; {
	case !k.IsKnown():
		return fmt.Errorf("violation.kind: there is no kind of violation %q", k)
	case k == property.HandlerFailure && len(t.Steps) == 0:
		return errors.New("steps is empty, and violation.kind is failure: no step could fail")
	}
	switch {
	case t.Loop > len(t.Steps):
		return fmt.Errorf("loop is %d, and there are %d steps", t.Loop, len(t.Steps))
	case t.Loop > 0 && !t.Violation.Kind.HasLoop():
		return fmt.Errorf("loop is %d, and violation.kind is %s: a run to a state has no loop", t.Loop, t.Violation.Kind)
	}
	if t.From != nil {
		for i, a := range t.From.Actors {
			if _, err := serializer.Decode(a.Local); err != nil {
				return fmt.Errorf("from.actors[%d].local: %w", i, err)
			}
		}
		for i, m := range t.From.Messages {
			if _, err := serializer.Decode(m.Payload); err != nil {
				return fmt.Errorf("from.messages[%d].payload: %w", i, err)
			}
		}
	}
	for i, s := range t.Steps {
		if _, err := network.ParseEventKind(s.Event); err != nil {
			return fmt.Errorf("steps[%d].event: %w", i, err)
		}
		for j, m := range s.Receives {
			if _, err := serializer.Decode(m.Payload); err != nil && !network.IsOfNetwork(m.Payload) {
				return fmt.Errorf("steps[%d].receives[%d].payload: %w", i, j, err)
			}
		}
	}
	return nil
}
