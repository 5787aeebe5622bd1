package checkpoint

import (
	"fmt"

	"github.com/cespare/xxhash/v2"

	"harrier/internal/model"
)

// A Journal is what the members of a search of several workers reported (partition.Journal), for one variant of the search.
type Journal struct{ reports records }

// Journal opens the journal of a variant of the search, or makes it.
func (f *Folder) Journal(variant string) (*Journal, error) {
	reports, err := f.openVariant("reports", variant)
	return &Journal{reports}, err
}

// Read returns the next record that was appended; false if there is none that is whole.
func (j *Journal) Read() ([]byte, bool) { return j.reports.read() }

// Append appends a record and has it come to the disk.
func (j *Journal) Append(record []byte) {
	if j.reports.folder.Flush != nil {
		j.reports.folder.Flush()
	}
	j.reports.append(record)
	j.reports.sync()
}

// openVariant opens a file of records of a variant of the search, or makes it, and reads the first record, which is the variant.
func (f *Folder) openVariant(kind, variant string) (records, error) {
	r, err := f.open(variantName(kind, variant))
	if err != nil {
		return r, opening(err)
	}
	if was, ok := r.read(); ok && string(was) != variant {
		return r, f.refused("two variants of the search have one " + kind)
	} else if !ok {
		r.append([]byte(variant))
	}
	return r, nil
}

// variantName is the name of what is kept of a variant of the search.
func variantName(kind, variant string) string {
	return fmt.Sprintf("%s-%016x", kind, xxhash.Sum64String(variant))
}

func opening(err error) error {
	return &model.UsageError{Text: fmt.Sprintf("opening the checkpoint: %v", err)}
}
