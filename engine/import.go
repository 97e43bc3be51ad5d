package engine

import (
	"errors"

	"munadi/engine/model"
	"munadi/engine/nemo"
)

// ImportOptions say how a checkpoint becomes a model folder.
type ImportOptions = model.ImportOptions

// ImportCheckpoint writes the model of a NeMo checkpoint (.nemo) at path into dir, an existing empty folder, as one that
// OpenDir loads. Temporary files go to dir. The error says which part of the checkpoint can't be imported, and why.
func ImportCheckpoint(path, dir string, o ImportOptions) error {
	c, err := nemo.OpenCheckpoint(path, dir)
	if err != nil {
		return err
	}
	return errors.Join(model.ImportCheckpoint(c, dir, o), c.Close())
}

// QuantiseFolder writes the model in folder from into dir, an existing empty folder, with 8-bit weights.
func QuantiseFolder(from, dir string) error {
	folder, err := model.FolderAt(from)
	if err != nil {
		return err
	}
	return model.QuantiseFolder(folder, dir)
}
