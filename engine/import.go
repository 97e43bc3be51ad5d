package engine

import (
	"errors"
	"fmt"
	"slices"

	"munadi/engine/features"
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
	err = checkFilters(c)
	if err == nil {
		err = model.ImportCheckpoint(c, dir, o)
	}
	return errors.Join(err, c.Close())
}

// checkFilters refuses a checkpoint whose mel filters differ from those that this package computes: NeMo uses the ones
// in the checkpoint and ignores its settings. Missing or zero filters are the default ones.
func checkFilters(c *nemo.NeMoCheckpoint) error {
	const name = "preprocessor.featurizer.fb"
	if !c.HasTensor(name) {
		return nil
	}
	want := features.FilterMatrix(c.Features.Bands)
	stored, err := c.TensorNumbers(name, 1, int64(c.Features.Bands), int64(len(want)/c.Features.Bands))
	if err != nil {
		return err
	}
	largest := slices.Max(want)
	if slices.Max(stored) == 0 {
		return nil
	}
	for i, w := range want {
		if d := stored[i] - w; !(d <= largest/100 && d >= -largest/100) { // numbers of half precision are off by 0.4 %
			return fmt.Errorf("the mel filters in the checkpoint (%s) are not those of Slaney's scale from 0 to 8000 Hz, "+
				"the only ones that can be imported", name)
		}
	}
	return nil
}

// QuantizeFolder writes the model in folder from into dir, an existing empty folder, with 8-bit weights.
func QuantizeFolder(from, dir string) error {
	folder, err := model.FolderAt(from)
	if err != nil {
		return err
	}
	return model.QuantizeFolder(folder, dir)
}
