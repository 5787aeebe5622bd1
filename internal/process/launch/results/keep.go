package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"harrier/internal/process/files"
	"harrier/internal/report"
)

// names are those that files of results have. A process that runs Java cannot have anything else that harrier reads, such as a checkpoint,
// be written.
var names = []string{report.TraceFile, report.PictureFile, report.TablesFile, report.CPUProfileFile, report.HeapProfileFile}

type (
	// request asks for files in a new folder with a name.
	request struct {
		Name  string
		Files map[string][]byte
	}
	answer struct{ Folder, Error string }
)

// Serve puts the results that a child sends into new folders, until it has ended.
func (o *Folder) Serve(from io.Reader, to io.WriteCloser) {
	requests, answers := json.NewDecoder(from), json.NewEncoder(to)
	for {
		var r request
		if requests.Decode(&r) != nil { // the child has ended, or the program writes there: nobody is to wait for an answer
			to.Close()
			_, _ = io.Copy(io.Discard, from)
			return
		}
		var k answer
		var err error
		for file := range r.Files {
			if !slices.Contains(names, file) {
				err = fmt.Errorf("%q is no name of a result", file)
			}
		}
		if err == nil {
			k.Folder, err = files.KeepIn(o.name)(r.Name, r.Files)
		}
		if err != nil {
			k.Error = err.Error()
		}
		_ = answers.Encode(k) // it fails only if the child has ended
	}
}

// Send keeps results by sending them to a supervisor, over a connection to its Serve. Several goroutines may use it.
func Send(from io.Reader, to io.Writer) files.Keep {
	var one sync.Mutex
	requests, answers := json.NewEncoder(to), json.NewDecoder(from)
	return func(name string, content map[string][]byte) (string, error) {
		one.Lock()
		defer one.Unlock()
		var k answer
		err := requests.Encode(request{name, content})
		if err == nil {
			err = answers.Decode(&k)
		}
		if err == nil && k.Error != "" {
			err = errors.New(k.Error)
		}
		return k.Folder, err
	}
}
