package codebase

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// OwnIdentity is the identity of this process' own file, with a version of Java.
func OwnIdentity(java string) (string, error) {
	executable, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("finding harrier's own file: %w", err)
	}
	return Identity(executable, java)
}

// Identity stands for all but a run's own flags that decides its result: the build of harrier, by a digest
// of its file, and the version of Java.
func Identity(executable, java string) (string, error) {
	sum := sha256.New()
	file, err := os.Open(executable)
	if err == nil {
		defer file.Close()
		_, err = io.Copy(sum, file)
	}
	if err != nil {
		return "", fmt.Errorf("reading harrier's own file: %w", err)
	}
	return "build " + hex.EncodeToString(sum.Sum(nil)[:16]) + ", java " + java, nil
}
