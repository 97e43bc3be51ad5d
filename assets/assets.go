// Package assets is what is shipped inside the program; its folders hold one kind each. This one holds the list of
// where it all comes from.
package assets

import _ "embed"

//go:embed SOURCES
var sources string

// ReadSources is the origin, the licence and the checksum of everything that others made.
func ReadSources() string { return sources }
