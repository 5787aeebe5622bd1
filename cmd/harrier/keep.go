package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"harrier/internal/check"
	"harrier/internal/process/files"
	"harrier/internal/report"
)

// The process that runs Java can write no results, or the program under check could change those of other checks. It sends them to
// its supervisor, which puts them into a new folder. They are called as results are: nothing else that harrier reads, such as a checkpoint,
// comes to be in a folder that way.
var results = []string{report.TraceFile, check.PictureFile, check.TablesFile}

// toKeep is what a child sends, kept the answer.
type (
	toKeep struct {
		Name  string
		Files map[string][]byte
	}
	kept struct{ Folder, Error string }
)

// serve keeps what a child sends, until it has ended.
func (o *outFolder) serve(from io.Reader, to io.WriteCloser) {
	requests, answers := json.NewDecoder(from), json.NewEncoder(to)
	for {
		var r toKeep
		if requests.Decode(&r) != nil { // the child has ended, or the program writes there: nobody is to wait for an answer
			to.Close()
			_, _ = io.Copy(io.Discard, from)
			return
		}
		var k kept
		var err error
		for file := range r.Files {
			if !slices.Contains(results, file) {
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

// keep has results kept in a folder, by the supervisor if that serves the child.
func (c *child) keep(folder string) files.Keep {
	if c.setup.Keeper == 0 {
		return files.KeepIn(folder)
	}
	var one sync.Mutex
	answers := json.NewDecoder(os.NewFile(uintptr(c.setup.Keeper), "from the supervisor"))
	requests := json.NewEncoder(os.NewFile(uintptr(c.setup.Keeper+1), "to the supervisor"))
	return func(name string, content map[string][]byte) (string, error) {
		one.Lock()
		defer one.Unlock()
		var k kept
		err := requests.Encode(toKeep{name, content})
		if err == nil {
			err = answers.Decode(&k)
		}
		if err == nil && k.Error != "" {
			err = errors.New(k.Error)
		}
		return k.Folder, err
	}
}
