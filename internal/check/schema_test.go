package check

import (
	"encoding/json"
	"flag"
	"maps"
	"math/big"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"harrier/internal/plan"
	"harrier/internal/process/files"
	"harrier/internal/report"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

var update = flag.Bool("update", false, "write docs/summary.schema.json anew")

// TestSchema holds the schema of the document of --json in docs to the types that make it: the answer, the values of all sections, and
// the details.
func TestSchema(t *testing.T) {
	const path = "../../docs/summary.schema.json"
	made := append(must.Get(json.MarshalIndent(schema(t), "", "  ")), '\n')
	if *update {
		must.Do(os.WriteFile(path, made, 0o644))
	} else if string(must.Get(os.ReadFile(path))) != string(made) {
		t.Error("docs/summary.schema.json differs from the types of the sections: run go test ./internal/check -run Schema -update")
	}
}

// TestDocumentsFitTheSchema validates the documents of checks of random programs.
func TestDocumentsFitTheSchema(t *testing.T) {
	fits := must.Get(schema(t).Resolve(nil))
	for seed := range uint64(20) {
		c := New(must.Get(plan.Resolve(plan.Default())), Environment{Keep: files.KeepIn(t.TempDir())})
		c.Program = loaded(toy.Symmetric.Random(seed))
		var document any
		must.Do(json.Unmarshal(must.Get(must.Get(c.Run(t.Context())).Document()), &document))
		if err := fits.Validate(document); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// TestReferenceHasTheKeysOfTheSchema demands a row of docs/reference.md for each key of the document, and no row for others; keys
// within values are somewhere on the page.
func TestReferenceHasTheKeysOfTheSchema(t *testing.T) {
	page := string(must.Get(os.ReadFile("../../docs/reference.md")))
	_, table, _ := strings.Cut(page, "With a verdict there are:")
	table, _, _ = strings.Cut(strings.TrimSpace(table), "\n\n")
	rows := map[string]bool{}
	for line := range strings.Lines(table) {
		for _, key := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(strings.Split(line, "|")[1], -1) {
			rows[key[1]] = true
		}
	}
	s := schema(t)
	for _, top := range s.PropertyOrder {
		if !rows[top] {
			t.Errorf("docs/reference.md has no row for %s", top)
		}
		delete(rows, top)
		within(s.Properties[top], func(key string) {
			if !strings.Contains(page, "`"+key+"`") {
				t.Errorf("docs/reference.md does not name %s, which is a key within %s", key, top)
			}
		})
	}
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		t.Errorf("docs/reference.md has a row for %s, which is no key", key)
	}
}

// schema returns the schema of the document that --json prints of a verdict.
func schema(t *testing.T) *jsonschema.Schema {
	c := New(must.Get(plan.Resolve(plan.Default())), Environment{})
	c.Program = loaded(toy.Symmetric.Random(1))
	must.Do(c.Do(t.Context(), Load, Decompose))
	values := []any{report.Answer{}}
	for _, s := range c.sections(&report.Summary{}, &known{}) {
		values = append(values, s.Value)
	}
	o := &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[big.Int](): {Type: "integer"}, reflect.TypeFor[[]byte](): {Type: "string", ContentEncoding: "base64"},
	}}
	whole := &jsonschema.Schema{Schema: "https://json-schema.org/draft/2020-12/schema",
		Title: "what harrier check --json prints of a verdict", Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, v := range append(values, report.Details{}) {
		of := must.Get(jsonschema.ForType(reflect.TypeOf(v), o))
		for _, key := range of.PropertyOrder {
			if whole.Properties[key] != nil {
				t.Errorf("two sections have a key %s", key)
			}
			whole.Properties[key] = open(of.Properties[key])
		}
		whole.PropertyOrder = append(whole.PropertyOrder, of.PropertyOrder...)
		whole.Required = append(whole.Required, of.Required...)
	}
	return whole
}

// open returns a schema that allows further keys at any depth, as keys may be added without a new version.
func open(s *jsonschema.Schema) *jsonschema.Schema {
	if s.Properties != nil {
		s.AdditionalProperties = nil
	}
	for _, p := range s.Properties {
		open(p)
	}
	if s.Items != nil {
		open(s.Items)
	}
	return s
}

// within calls f with the keys of objects in a schema, at any depth.
func within(s *jsonschema.Schema, f func(key string)) {
	for key, p := range s.Properties {
		f(key)
		within(p, f)
	}
	if s.Items != nil {
		within(s.Items, f)
	}
}
