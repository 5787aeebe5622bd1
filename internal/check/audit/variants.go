package audit

// A form is one variant of a local state or of a message.
type form struct {
	sender string // of a message
	bytes  []byte // of the local state, or of the message's payload
}

func (f form) key() string { return f.sender + "\x00" + string(f.bytes) }

// variants are the forms of local states, or of messages, that were interned under one relevant part. Variant 0 is the
// representative.
type variants struct {
	first   func(id uint32) form
	others  map[uint32][]form
	met     map[uint32]map[string]bool
	further int  // how many there are beside representatives
	left    bool // some were left out: there were most already

	key  func(f form) string // equal for variants that count as one
	most int                 // how many variants of one id are looked at
}

func newVariants(first func(id uint32) form, key func(f form) string, most int) variants {
	return variants{first: first, others: map[uint32][]form{}, met: map[uint32]map[string]bool{}, key: key, most: most}
}

// add returns the number of a variant and whether it is new.
func (f *variants) add(id uint32, one form) (variant int, fresh bool) {
	met := f.met[id]
	if met == nil {
		met = map[string]bool{f.key(f.first(id)): true}
		f.met[id] = met
	}
	key := f.key(one)
	if met[key] {
		return 0, false
	}
	if len(met) >= f.most {
		f.left = true
		return 0, false
	}
	met[key] = true
	f.others[id] = append(f.others[id], one)
	f.further++
	return len(f.others[id]), true
}

func (f *variants) at(id uint32, variant int) form {
	if variant == 0 {
		return f.first(id)
	}
	return f.others[id][variant-1]
}

func (f *variants) count(id uint32) int { return 1 + len(f.others[id]) }
