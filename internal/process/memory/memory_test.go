package memory

import "testing"

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
