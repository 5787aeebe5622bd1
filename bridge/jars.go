package bridge

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"harrier/internal/files"
)

// The jars are made by `make jars`.
var (
	//go:embed jar/harrier-api.jar
	apiJar []byte
	//go:embed jar/harrier-runtime.jar
	runtimeJar []byte
)

// home is where the virtual machine finds what it needs.
type home struct {
	api, runtime string // the embedded jars
	// cache is a folder of the user's own, for what saves work the next time; "" for none.
	cache string
}

// unpack puts the embedded jars where the virtual machine can read them: in the user's cache
// folder, named after their content, so that it happens once; in the folder for temporary files
// where the user has no home that can be written. There nothing else is kept: others may write to
// it, and only the jars are compared.
func unpack() (home, error) {
	if cache, err := os.UserCacheDir(); err == nil {
		if h, err := unpackTo(cache); err == nil {
			h.cache = filepath.Dir(h.api)
			return h, nil
		}
	}
	return unpackTo(os.TempDir())
}

func unpackTo(cache string) (home, error) {
	api, err := unpackFile(cache, "harrier-api", apiJar)
	if err != nil {
		return home{}, err
	}
	runtime, err := unpackFile(cache, "harrier-runtime", runtimeJar)
	return home{api: api, runtime: runtime}, err
}

func unpackFile(cache, name string, content []byte) (string, error) {
	sum := sha256.Sum256(content)
	path := filepath.Join(cache, "harrier", name+"-"+hex.EncodeToString(sum[:6])+".jar")
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
		return path, nil
	}
	if err := files.WriteWhole(path, content); err != nil {
		return "", fmt.Errorf("unpacking harrier's Java runtime: %w", err)
	}
	return path, nil
}
