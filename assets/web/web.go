// Package web holds the files served to browsers: style sheets, ES modules, fonts, icons and sample clips.
//
// It is an embedded folder with an accessor and no logic: ui/asset names, compresses and caches the files. There is no
// build step: the style sheets and modules are edited directly. SOURCES.md lists the origin and licence of each foreign
// file.
package web

import (
	"embed"
	"io/fs"
)

//go:embed css js fonts icons samples
var files embed.FS

// WebFiles is the folder as a browser sees it: css/, js/, fonts/, icons/, samples/.
func WebFiles() fs.FS { return files }
