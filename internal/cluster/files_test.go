package cluster

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"harrier/internal/testkit/must"
)

// TestArchivesHaveWhatLinksLeadTo packs a folder with links to folders, of which some lead to where they are.
func TestArchivesHaveWhatLinksLeadTo(t *testing.T) {
	folder := must.Get(filepath.EvalSymlinks(t.TempDir()))
	for _, path := range []string{"sources/one-paxos/Node.java", "sources/Faulty.java", "beside/back/Quorum.java"} {
		path = filepath.Join(folder, path)
		must.Do(os.MkdirAll(filepath.Dir(path), 0o700))
		must.Do(os.WriteFile(path, []byte(filepath.Base(path)), 0o600))
	}
	for link, target := range map[string]string{
		"sources/onepaxos": "one-paxos", "sources/util": "../beside/back", "sources/one-paxos/around": "..", "beside/back/again": "../../sources",
		"program": "sources", "sources/nothing": "nowhere",
	} {
		must.Do(os.Symlink(target, filepath.Join(folder, link)))
	}
	program := filepath.Join(folder, "program")
	var archive bytes.Buffer
	must.Do(pack(&archive, program))
	into := t.TempDir()
	must.Do(unpack(into, &archive))
	var got []string
	must.Do(fs.WalkDir(os.DirFS(into), strings.TrimPrefix(program, "/"), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			got = append(got, strings.TrimPrefix("/"+path, program+"/"))
		}
		return err
	}))
	if want := []string{"Faulty.java", "one-paxos/Node.java", "onepaxos/Node.java", "util/Quorum.java"}; !slices.Equal(got, want) {
		t.Errorf("an archive has %q, want %q", got, want)
	}
}
