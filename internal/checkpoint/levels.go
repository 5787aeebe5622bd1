package checkpoint

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"harrier/internal/distributed/levels"
	"harrier/internal/model"
	"harrier/internal/process/files"

	"github.com/cespare/xxhash/v2"
)

// Levels opens the levels of a variant of the search, or makes their folder.
func (f *Folder) Levels(variant string) (*levels.Chain, error) {
	chain, err := levels.OpenChain(levels.Place{
		Folder: filepath.Join(f.path, variantName("levels", variant)), Key: []byte(f.key), Every: f.Every, Flush: f.Flush, Scratch: f.scratch,
	}, variant)
	var damaged *levels.DamagedError
	if err != nil && !errors.As(err, &damaged) {
		err = opening(err)
	}
	return chain, err
}

// LevelsFailed notes why levels cannot be kept any more.
func (f *Folder) LevelsFailed(err error) { f.fail(err) }

// scratch makes an empty file of which nothing is left when it is closed or the process ends.
func (f *Folder) scratch() (*os.File, error) { return files.Scratch(f.path, scratchName) }

// variantName is the name of what is kept of a variant of the search.
func variantName(kind, variant string) string {
	return fmt.Sprintf("%s-%016x", kind, xxhash.Sum64String(variant))
}

func opening(err error) error {
	return &model.UsageError{Text: fmt.Sprintf("opening the checkpoint: %v", err)}
}
