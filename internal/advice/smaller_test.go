package advice

import (
	"testing"

	"harrier/internal/model"
)

func TestNumbersThatMayBeSmaller(t *testing.T) {
	found, values := Numbers([]model.Parameter{{Name: "clients", Value: "3"}, {Name: "one", Value: "1"}, {Name: "millis", Value: "5000"},
		{Name: "kind", Value: "FAST"}, {Name: "rounds", Value: "100"}})
	if len(found) != 2 || found[0].Name != "clients" || values[0] != 3 || found[1].Name != "rounds" || values[1] != 100 {
		t.Errorf("%v %v", found, values)
	}
}
