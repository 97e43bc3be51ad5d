// Package scenarios holds the built-in scenarios of every organization, and the phrases of all conversations: the
// assistant's common lines, people's requests at any time, and the phrases of answering machines.
//
// It is an embedded folder with an accessor and no logic: flow/ has one scenario a file, in the JSON form of package
// store/scenario, templates/ those that a new scenario may begin as, words/ one file a language (phrases_ar.json,
// machine_ar.json), read by appliance/conversation. The texts of flow/ are those of the bundled prompts, so that they
// speak on a bare machine; the templates need a voice, or recordings, for some lines.
package scenarios

import (
	"embed"
	"io/fs"
)

//go:embed flow words templates
var files embed.FS

// ScenarioFiles is the folder: flow/, words/, templates/.
func ScenarioFiles() fs.FS { return files }
