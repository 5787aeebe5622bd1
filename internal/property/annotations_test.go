package property_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"harrier/internal/property"
	"harrier/internal/testkit/must"
)

// Each annotation of Java's table is that of a kind, and the other way round.
func TestAnnotationsAreThoseOfJava(t *testing.T) {
	source := must.Get(os.ReadFile("../../java/api/src/main/java/harrier/PropertyAnnotation.java"))
	var java []string
	for _, m := range regexp.MustCompile(`(?m)^    [A-Z_]+\((\w+)\.class, `).FindAllSubmatch(source, -1) {
		java = append(java, string(m[1]))
	}
	slices.Sort(java)
	if names := slices.Sorted(slices.Values(property.Annotations())); !slices.Equal(names, java) {
		t.Errorf("annotations of properties are %v, in Java %v", names, java)
	}
}
