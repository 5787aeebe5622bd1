package serializer

import (
	"bytes"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"harrier/internal/testkit/must"
)

// fewestVectors guards against a golden file that was cut short.
const fewestVectors = 20

type vector struct {
	name  string
	bytes []byte
	text  string
}

// TestGolden holds this package to the vectors that the Java side is held to as well.
func TestGolden(t *testing.T) {
	vectors := readGolden(t)
	if len(vectors) < fewestVectors {
		t.Errorf("%d vectors, want %d or more", len(vectors), fewestVectors)
	}
	for _, g := range vectors {
		t.Run(g.name, func(t *testing.T) {
			v := must.Get(Decode(g.bytes))
			if got := Format(v); got != g.text {
				t.Errorf("Format gives\n%s, want\n%s", got, g.text)
			}
			if got := Encode(v); !bytes.Equal(got, g.bytes) {
				t.Errorf("Encode gives\n%x, want\n%x", got, g.bytes)
			}
		})
	}
}

func readGolden(t *testing.T) []vector {
	file := must.Get(os.ReadFile("testdata/golden.txt"))
	var vectors []vector
	for i, line := range strings.Split(string(file), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.SplitN(line, "\t", 3)
		if len(parts) < 3 {
			t.Fatalf("golden.txt:%d: want name, bytes and text, with tabs between", i+1)
		}
		b, err := hex.DecodeString(parts[1])
		if err != nil {
			t.Fatalf("golden.txt:%d: %v", i+1, err)
		}
		vectors = append(vectors, vector{parts[0], b, parts[2]})
	}
	return vectors
}
