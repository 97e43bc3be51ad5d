package model

import "io/fs"

// FolderIn returns a model folder anywhere, e.g. embedded in the binary.
func FolderIn(fsys fs.FS) ModelFolder { return ModelFolder{fsys: fsys} }
