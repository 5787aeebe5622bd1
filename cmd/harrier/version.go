package main

import "runtime/debug"

// Version is set when harrier is built.
var Version = "development"

// version is that of harrier, with the commit that it was built from, if that is known.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return Version + " " + s.Value[:min(len(s.Value), 12)]
			}
		}
	}
	return Version
}
