package files

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// sealed is the form of a file with a document and a hash of it.
type sealed struct {
	Document json.RawMessage
	Sum      string // the HMAC of Document with SHA-256 and the key
}

// WriteSealed writes a document, as WriteWhole does, with a hash of it. With a key, nobody who does not know it can write another one.
func WriteSealed(path string, key []byte, document any) error {
	text, err := json.Marshal(document)
	if err != nil {
		return err
	}
	content, err := json.Marshal(sealed{text, sumOf(key, text)})
	if err != nil {
		return err
	}
	return WriteWhole(path, content)
}

// ReadSealed reads a document that WriteSealed wrote with a key. It reports whether the file is there and as it was written.
func ReadSealed(path string, key []byte, into any) bool {
	content, err := ReadRegular(path)
	var f sealed
	return err == nil && json.Unmarshal(content, &f) == nil && hmac.Equal([]byte(f.Sum), []byte(sumOf(key, f.Document))) &&
		json.Unmarshal(f.Document, into) == nil
}

func sumOf(key, text []byte) string {
	sum := hmac.New(sha256.New, key)
	sum.Write(text)
	return hex.EncodeToString(sum.Sum(nil))
}
