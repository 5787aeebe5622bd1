//go:build !linux || !(amd64 || arm64)

package sandbox

import (
	"errors"
	"os"
)

// Find reports that there is nothing.
func Find() Support { return Support{} }

// Ruleset fails.
func (p Policy) Ruleset(Support) (*os.File, error) { return nil, errors.ErrUnsupported }

// Entered returns nil.
func Entered() error { return nil }

// Filter fails.
func Filter(bool) error { return errors.ErrUnsupported }
