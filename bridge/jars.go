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

// unpack puts the embedded jars where the virtual machine can read them: in the user's cache
// folder, named after their content, so that it happens once; in the folder for temporary files
// where the user has no home that can be written.
func unpack() (api, runtime string, err error) {
	if cache, err := os.UserCacheDir(); err == nil {
		if api, runtime, err = unpackTo(cache); err == nil {
			return api, runtime, nil
		}
	}
	return unpackTo(os.TempDir())
}

func unpackTo(cache string) (api, runtime string, err error) {
	if api, err = unpackFile(cache, "harrier-api", apiJar); err != nil {
		return "", "", err
	}
	runtime, err = unpackFile(cache, "harrier-runtime", runtimeJar)
	return api, runtime, err
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
