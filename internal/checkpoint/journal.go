package checkpoint

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
