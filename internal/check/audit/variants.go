package audit

// variants are the concrete local states, or payloads, that were interned under one relevant part. Variant 0 is the
// representative.
type variants struct {
	first   func(id uint32) []byte
	others  map[uint32][][]byte
	met     map[uint32]map[string]bool
	further int  // how many there are beside representatives
	left    bool // some were left out: there were most already

	key  func(b []byte) string // equal for variants that count as one
	most int                   // how many variants of one id are looked at
}

func newVariants(first func(id uint32) []byte, key func(b []byte) string, most int) variants {
	return variants{first: first, others: map[uint32][][]byte{}, met: map[uint32]map[string]bool{}, key: key, most: most}
}

// add returns the number of a variant and whether it is new.
func (f *variants) add(id uint32, b []byte) (variant int, fresh bool) {
	met := f.met[id]
	if met == nil {
		met = map[string]bool{f.key(f.first(id)): true}
		f.met[id] = met
	}
	key := f.key(b)
	if met[key] {
		return 0, false
	}
	if len(met) >= f.most {
		f.left = true
		return 0, false
	}
	met[key] = true
	f.others[id] = append(f.others[id], b)
	f.further++
	return len(f.others[id]), true
}

func (f *variants) at(id uint32, variant int) []byte {
	if variant == 0 {
		return f.first(id)
	}
	return f.others[id][variant-1]
}

func (f *variants) count(id uint32) int { return 1 + len(f.others[id]) }
