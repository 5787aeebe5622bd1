package serializer

import (
	"encoding/binary"
	"unicode/utf8"
)

// The primitives of the format, for the decoder. After a failure they return zero values.

func (d *decoder) byte() byte {
	if d.err != nil || d.at == len(d.in) {
		d.fail(d.at, "the bytes end too early")
		return 0
	}
	d.at++
	return d.in[d.at-1]
}

// take returns the next n bytes.
func (d *decoder) take(n int) string {
	if left := len(d.in) - d.at; d.err == nil && n > left {
		d.fail(d.at, "%d bytes wanted, %d left", n, left)
	}
	if d.err != nil {
		return ""
	}
	d.at += n
	return d.in[d.at-n : d.at]
}

func (d *decoder) varint() uint64 {
	start := d.at
	var n uint64
	for shift := 0; ; shift += 7 {
		b := d.byte()
		switch {
		case d.err != nil:
			return 0
		case shift == 63 && b > 1: // the tenth byte has room for one bit
			d.fail(start, "a varint of more than 64 bits")
			return 0
		case b == 0 && shift > 0:
			d.fail(start, "a varint not in its shortest form")
			return 0
		}
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
}

func (d *decoder) zigzag(min, max int64) int64 {
	at := d.at
	u := d.varint()
	n := int64(u>>1) ^ -int64(u&1)
	if n < min || n > max {
		d.fail(at, "%d is not between %d and %d", n, min, max)
	}
	return n
}

// upTo reads a varint that is at most max. What it counts is not in the bytes, unlike that
// of count.
func (d *decoder) upTo(max int64, what string) int64 {
	at := d.at
	n := d.varint()
	if n > uint64(max) {
		d.fail(at, "%s %d is above %d", what, n, max)
		return 0
	}
	return int64(n)
}

// count reads how many values follow. Each takes a byte at least.
func (d *decoder) count() int {
	at := d.at
	n := d.varint()
	if left := len(d.in) - d.at; n > uint64(left) {
		d.fail(at, "a count of %d with %d bytes left", n, left)
		return 0
	}
	return int(n)
}

func (d *decoder) bigEndian(bytes int) int64 {
	var n uint64
	for _, b := range []byte(d.take(bytes)) {
		n = n<<8 | uint64(b)
	}
	return int64(n)
}

func (d *decoder) text() string {
	n := d.count()
	at := d.at
	s := d.take(n)
	if !utf8.ValidString(s) {
		d.fail(at, "text that is not UTF-8")
	}
	return s
}

// appendText writes a text behind its length.
func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
