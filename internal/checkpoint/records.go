package checkpoint

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"os"
	"path/filepath"
	"syscall"
)

// records is a file of records, each with its length and an authentication code of all that is in the file up to its end. So what is
// read is a prefix of what was written by somebody who knows the key: a record that is torn or changed ends it, and is written anew
// with all after it.
type records struct {
	folder *Folder
	file   *os.File
	sum    hash.Cloner // of the name of the file and the records up to end
	end    int64
}

const headBytes = 8 + 8 // the length of a record, and the first bytes of the code, both little-endian

// open opens a file of records, or makes it. None was read.
func (f *Folder) open(name string) (records, error) {
	file, err := os.OpenFile(filepath.Join(f.path, name), os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	sum := hmac.New(sha256.New, []byte(f.key)).(hash.Cloner)
	_, _ = sum.Write([]byte(name)) // it never fails
	return records{f, file, sum, 0}, err
}

// clone returns a copy that goes on by itself.
func (r records) clone() records {
	r.sum, _ = r.sum.Clone() // both hashes can be cloned
	return r
}

// read returns the next record, and false if there is none that is whole.
func (r *records) read() (record []byte, ok bool) {
	var head [headBytes]byte
	if _, err := r.file.ReadAt(head[:], r.end); err != nil {
		return nil, false
	}
	length := binary.LittleEndian.Uint64(head[:])
	info, err := r.file.Stat()
	if err != nil || length > uint64(info.Size()-r.end-headBytes) {
		return nil, false
	}
	record = make([]byte, length)
	if _, err := r.file.ReadAt(record, r.end+headBytes); err != nil {
		return nil, false
	}
	before := r.clone()
	if r.checksum(head[:8], record) != binary.LittleEndian.Uint64(head[8:]) {
		*r = before
		return nil, false
	}
	r.end += headBytes + int64(length)
	return record, true
}

// checksum adds a record to what is summed up.
func (r *records) checksum(length, record []byte) uint64 {
	_, _ = r.sum.Write(length) // it never fails
	_, _ = r.sum.Write(record)
	return binary.LittleEndian.Uint64(r.sum.Sum(nil))
}

// append writes a record behind those that were read or written, in place of what is there. After a failure nothing more is written.
func (r *records) append(record []byte) {
	if r.folder.Failed() != nil {
		return
	}
	whole := binary.LittleEndian.AppendUint64(make([]byte, 0, headBytes+len(record)), uint64(len(record)))
	whole = append(binary.LittleEndian.AppendUint64(whole, r.checksum(whole, record)), record...)
	err := r.file.Truncate(r.end)
	if err == nil {
		_, err = writeAt(r.file, whole, r.end)
	}
	if err != nil {
		r.folder.fail(err)
		return
	}
	r.end += int64(len(whole))
}

// writeAt writes to a file at a place. It is a variable for tests.
var writeAt = (*os.File).WriteAt

// sync has what was written come to the disk.
func (r *records) sync() {
	if err := r.file.Sync(); err != nil {
		r.folder.fail(err)
	}
}
