// Package web holds the bytes that a browser gets from Munadi: style sheets, ES modules, fonts, icons and sample clips.
//
// It is an embedded folder with an accessor and no logic: how the files are named, compressed and cached in a browser
// is ui/asset's idea. Nothing here is built: the style sheets and modules are the ones that people edit. SOURCES.md
// says where each foreign file comes from and under which licence.
package web

import (
	"embed"
	"io/fs"
)

//go:embed css js fonts icons samples
var files embed.FS

// WebFiles is the folder as a browser sees it: css/, js/, fonts/, icons/, samples/.
func WebFiles() fs.FS { return files }
