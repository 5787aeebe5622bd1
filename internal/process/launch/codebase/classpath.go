package codebase

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ExpandClassPath gives the folders and jars that the values of --classpath name, in their order. A value is a list,
// as java -cp takes it; an entry that ends in /* stands for all jars in a folder.
func ExpandClassPath(values []string) ([]string, error) {
	var entries []string
	for _, value := range values {
		for _, entry := range strings.Split(value, string(os.PathListSeparator)) {
			found, err := expandEntry(entry)
			if err != nil {
				return nil, fmt.Errorf("--classpath: %w", err)
			}
			entries = append(entries, found...)
		}
	}
	return entries, nil
}

func expandEntry(entry string) ([]string, error) {
	if entry == "" {
		return nil, fmt.Errorf("an entry is empty; write . for the current folder")
	}
	if folder, ok := strings.CutSuffix(entry, "*"); ok && (folder == "" || strings.HasSuffix(folder, string(filepath.Separator))) {
		return jarsIn(filepath.Clean(folder), entry)
	}
	info, err := os.Stat(entry)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s does not exist", entry)
	case !info.IsDir() && !isJar(entry):
		return nil, fmt.Errorf("%s is neither a folder of classes nor a .jar", entry)
	}
	return []string{entry}, nil
}

func jarsIn(folder, entry string) ([]string, error) {
	files, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("%s: %s is no folder that can be read", entry, folder)
	}
	var jars []string
	for _, f := range files {
		if isJar(f.Name()) {
			jars = append(jars, filepath.Join(folder, f.Name()))
		}
	}
	if jars == nil {
		return nil, fmt.Errorf("%s: there is no .jar in %s", entry, folder)
	}
	return jars, nil
}

func isJar(name string) bool { return strings.EqualFold(filepath.Ext(name), ".jar") }
