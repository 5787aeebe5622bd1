package audit

// forms are the concrete forms of what is interned under its relevant part. Form 0 is the
// representative.
type forms struct {
	first   func(id uint32) []byte
	others  map[uint32][][]byte
	met     map[uint32]map[string]bool
	further int  // how many there are beside representatives
	left    bool // some were left out: there were most already

	key  func(b []byte) string // what tells forms apart
	most int                   // how many forms of one thing are looked at
}

func newForms(first func(id uint32) []byte, key func(b []byte) string, most int) forms {
	return forms{first: first, others: map[uint32][][]byte{}, met: map[uint32]map[string]bool{}, key: key, most: most}
}

// add returns the number of a form and whether it is new.
func (f *forms) add(id uint32, b []byte) (form int, isNew bool) {
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

func (f *forms) at(id uint32, form int) []byte {
	if form == 0 {
		return f.first(id)
	}
	return f.others[id][form-1]
}

func (f *forms) count(id uint32) int { return 1 + len(f.others[id]) }
