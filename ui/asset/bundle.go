package asset

import (
	"bytes"
	"fmt"
	"io/fs"
	"regexp"
)

// Bundles of files that every page of the console needs, made when the folder is loaded, so that a first page takes few
// requests. The parts are also served separately, for the pages that need only one.
const (
	ConsoleStyles = "css/console.bundle.css"
	ConsoleModule = "js/console.bundle.js"
	CallsModule   = "js/console-calls.bundle.js"
)

// bundleParts lists the files of each bundle, in the order in which they apply. A module comes after those that it
// imports, and two modules of a bundle define no name twice.
func bundleParts() map[string][]string {
	return map[string][]string{
		ConsoleStyles: {
			"css/tokens.css", "css/fonts.css", "css/base.css", "css/shell.css", "css/controls.css", "css/state.css",
			"css/console.css", "css/form.css", "css/table.css", "css/chart.css", "css/console-calls.css",
		},
		ConsoleModule: {
			"js/dom.js", "js/theme.js", "js/tables.js", "js/palette.js", "js/alerts.js", "js/ago.js", "js/reach.js",
			"js/console.js",
		},
		CallsModule: {"js/tables.js", "js/rows.js", "js/console-calls.js"},
	}
}

// The lines of a module that its bundle does without: imports of the other parts, and the keyword of exports.
var (
	importLine  = regexp.MustCompile(`(?m)^import [^;]*;\n`)
	exportWords = regexp.MustCompile(`(?m)^export `)
)

// addBundles adds the bundles whose parts the folder holds.
func (s *AssetSet) addBundles(fsys fs.FS) error {
	for name, parts := range bundleParts() {
		if _, err := fs.Stat(fsys, parts[0]); err != nil {
			continue // a test's folder
		}
		var all bytes.Buffer
		for _, part := range parts {
			body, err := fs.ReadFile(fsys, part)
			if err != nil {
				return fmt.Errorf("bundle %s: %w", name, err)
			}
			all.Write(exportWords.ReplaceAll(importLine.ReplaceAll(body, nil), nil))
			all.WriteByte('\n')
		}
		f, err := newFile(name, all.Bytes())
		if err != nil {
			return err
		}
		s.files[name] = f
	}
	return nil
}
