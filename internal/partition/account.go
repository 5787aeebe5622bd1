package partition

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"

	"harrier/internal/model"
)

// An account is what a member sent and received in a round, up to a report. The accounts of all members agree, pair by pair, if each took
// in what the others sent, and nothing else.
type account struct {
	Nonce          string   // the one that the coordinator sent to the member last
	Sent, Received []digest // by process, the coordinator first
}

// A digest is of a sequence of messages.
type digest struct {
	Messages int
	Sum      uint64 // a hash of all of them
}

// with returns the digest of the sequence with one more message, of a hash.
func (d digest) with(hash uint64) digest {
	b := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, d.Sum), hash)
	return digest{d.Messages + 1, xxhash.Sum64(b)}
}

// hash returns a hash of what a message says.
func (m Message) hash() uint64 {
	h := xxhash.New()
	_, _ = h.Write(binary.LittleEndian.AppendUint64([]byte{byte(m.Kind)}, uint64(m.Level))) // it never fails
	_, _ = h.Write(m.Body)
	return h.Sum64()
}

// account returns the account of this process up to now.
func (l *link) account(nonce string) account {
	a := account{Nonce: nonce}
	for _, p := range l.peers {
		p.mu.Lock()
		a.Sent, a.Received = append(a.Sent, p.out), append(a.Received, p.in)
		p.mu.Unlock()
	}
	return a
}

// newNonce returns a nonce to be sent to a member, which its next report has to repeat.
func (r *round) newNonce(member int) string {
	r.nonces[member] = rand.Text()
	return r.nonces[member]
}

// agree returns an error unless the accounts of all members, each in the last message of the member, agree with each other and with what
// the coordinator told them.
func (r *round) agree(accounts []account) error {
	for i, a := range accounts {
		if a.Nonce != r.nonces[i] || len(a.Sent) != len(r.link.peers) || len(a.Received) != len(r.link.peers) {
			return inconsistent(i, "it was not told to")
		}
		home := r.link.peer(i)
		if a.Sent[0] != home.before || a.Received[0] != home.out {
			return inconsistent(i, "others have spoken for it, or for this check")
		}
		for j, other := range accounts[:i] {
			if a.Sent[j+1] != other.Received[i+1] || a.Received[j+1] != other.Sent[i+1] {
				return inconsistent(i, fmt.Sprintf("it and worker %d have not received what the other one sent", j))
			}
		}
	}
	return nil
}

// inconsistent returns the error of a round in which a message of a member cannot be believed. A search that has one comes to no verdict.
func inconsistent(member int, why string) error {
	return &model.LimitError{Text: fmt.Sprintf("a report of worker %d that shares the search cannot be believed: %s", member, why)}
}

// prove returns an error unless the members, which were told to stop after a level in which they met no more states, came to what they had
// reported of that level.
func (r *round) prove() error {
	var accounts []account
	for member, out := range r.left {
		if accounts = append(accounts, out.Account); string(encode(out.Tally)) != string(encode(r.ends[member].Tally)) {
			return inconsistent(member, "its last level and its end differ")
		}
	}
	if err := r.agree(accounts); err != nil {
		return err
	}
	if r.counts.States == 0 || slices.Contains(r.levels[:1], 0) {
		return &model.LimitError{Text: "the workers that share the search explored no states"}
	}
	return nil
}
