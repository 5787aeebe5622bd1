//go:build !linux

package wordset

func useHugePages([]byte) {}
