package tasks

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"

	"harrier/internal/distributed/levels"
)

// sealed is a register whose entries begin with a code by which those are known that members of a search have made.
type sealed struct {
	Register
	key []byte
}

// Sealed has entries of a register be made and read by those only who have a key. An entry of others is a *levels.DamagedError.
func Sealed(r Register, key []byte) Register { return sealed{r, key} }

func (s sealed) seal(path string, content []byte) []byte {
	h := hmac.New(sha256.New, s.key)
	_, _ = h.Write([]byte(path + "\n")) // it never fails
	_, _ = h.Write(content)
	return h.Sum(nil)
}

// Make implements Register.
func (s sealed) Make(ctx context.Context, key string, content []byte) (bool, error) {
	return s.Register.Make(ctx, key, append(s.seal(key, content), content...))
}

// Under implements Register.
func (s sealed) Under(ctx context.Context, folder string) (map[string][]byte, error) {
	all, err := s.Register.Under(ctx, folder)
	for name, entry := range all {
		content := entry[min(len(entry), sha256.Size):]
		if !hmac.Equal(entry[:len(entry)-len(content)], s.seal(folder+name, content)) {
			return nil, &levels.DamagedError{Name: folder + name, Text: "was not written by a member of the search"}
		}
		all[name] = content
	}
	return all, err
}
