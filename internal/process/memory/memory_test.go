package memory

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"harrier/internal/testkit/must"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]uint64{
		"512m": 512 << 20, "2g": 2 << 30, "2G": 2 << 30, "1.5GiB": 3 << 29, "64kb": 64 << 10, "4096": 4096, "1t": 1 << 40,
	} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("Parse(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0", "m", "two", "-1g", "1x"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("Parse(%q) = %d, want an error", text, got)
		}
	}
}

func TestResidentCountsMemoryInUse(t *testing.T) {
	before := Resident()
	block := make([]byte, 64<<20)
	for i := range block {
		block[i] = 1
	}
	if after := Resident(); after < before+(48<<20) {
		t.Errorf("resident memory went from %d to %d after 64 MiB were written", before, after)
	}
	if Peak() < 64<<20 {
		t.Errorf("the peak is %d bytes, below what is in use", Peak())
	}
	block[0]++
}

// TestPeakIsOfThisProcessAlone has a process with little memory be started by one with much.
func TestPeakIsOfThisProcessAlone(t *testing.T) {
	if os.Getenv("PRINTS_ITS_PEAK") != "" {
		fmt.Print("peak ", Peak())
		os.Exit(0)
	}
	block := make([]byte, 256<<20)
	for i := range block {
		block[i] = 1
	}
	child := exec.Command(os.Args[0], "-test.run", t.Name())
	child.Env = append(os.Environ(), "PRINTS_ITS_PEAK=1")
	var peak uint64
	if _, err := fmt.Sscanf(string(must.Get(child.Output())), "peak %d", &peak); err != nil || peak == 0 || peak > 128<<20 {
		t.Errorf("the peak of a process that does nothing is %d bytes, %v", peak, err)
	}
	block[0]++
}
