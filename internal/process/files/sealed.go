package files

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// sealed is the form of a file with a document and a hash of it.
type sealed struct {
	Document json.RawMessage
	Sum      string // the SHA-256 of Document
}

// WriteSealed writes a document, as WriteWhole does, with a hash of it.
func WriteSealed(path string, document any) error {
	text, err := json.Marshal(document)
	if err != nil {
		return err
	}
	content, err := json.Marshal(sealed{text, sumOf(text)})
	if err != nil {
		return err
	}
	return WriteWhole(path, content)
}

// ReadSealed reads a document that WriteSealed wrote. It reports whether the file is there and as it was written.
func ReadSealed(path string, into any) bool {
	content, err := ReadRegular(path)
	var f sealed
	return err == nil && json.Unmarshal(content, &f) == nil && f.Sum == sumOf(f.Document) && json.Unmarshal(f.Document, into) == nil
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
