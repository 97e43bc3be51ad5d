// Package assets holds the files embedded in the program, one kind a folder. This folder holds the list of their
// sources.
package assets

import _ "embed"

//go:embed SOURCES
var sources string

// ReadSources is the origin, the licence and the checksum of everything that others made.
func ReadSources() string { return sources }
