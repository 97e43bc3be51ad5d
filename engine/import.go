package engine

import (
	"errors"

	"munadi/engine/model"
	"munadi/engine/nemo"
)

// ImportOptions configures the conversion of a checkpoint into a model folder.
type ImportOptions = model.ImportOptions

// ImportCheckpoint converts the NeMo checkpoint (.nemo) at path into a model folder in dir, an existing empty folder,
// that OpenDir loads. Temporary files go to dir. The error names the part of the checkpoint that cannot be imported,
// and why.
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
