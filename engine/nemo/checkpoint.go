package nemo

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// NeMoCheckpoint is an open .nemo file.
type NeMoCheckpoint struct {
	ModelConfig
	archive *nemoArchive
	tensors map[string]StoredTensor
	taken   map[string]bool
}

// OpenCheckpoint reads the configuration and the list of tensors of the checkpoint at path, and verifies the weights'
// checksums. A compressed archive is decompressed into spoolDir until Close. The error says what cannot be imported and
// what is supported.
func OpenCheckpoint(path, spoolDir string) (*NeMoCheckpoint, error) {
	a, err := openArchive(path, spoolDir)
	if err != nil {
		return nil, err
	}
	c := &NeMoCheckpoint{archive: a, taken: map[string]bool{}}
	if err := c.readContent(); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return c, nil
}

func (c *NeMoCheckpoint) readContent() error {
	b, err := c.archive.readMember(configMember, maxConfig)
	if err != nil {
		return err
	}
	if c.ModelConfig, err = parseConfig(b); err != nil {
		return err
	}
	weights := c.archive.members[weightsMember]
	if weights == nil {
		return fmt.Errorf("not a complete NeMo checkpoint: it lacks %s", weightsMember)
	}
	c.tensors, err = readWeights(weights)
	return err
}

// Close frees the file.
func (c *NeMoCheckpoint) Close() error { return c.archive.Close() }

// TokenizerModel returns the SentencePiece model's bytes.
func (c *NeMoCheckpoint) TokenizerModel() ([]byte, error) {
	name := c.Tokenizer
	if c.archive.members[name] == nil { // the prefix may be missing in the archive or in the configuration
		for member := range c.archive.members {
			if strings.HasSuffix(member, "tokenizer.model") {
				name = member
			}
		}
	}
	return c.archive.readMember(name, maxArtifact)
}

// HasTensor reports whether there is a tensor of that name.
func (c *NeMoCheckpoint) HasTensor(name string) bool {
	_, ok := c.tensors[name]
	return ok
}

// TensorShape returns a tensor's shape; nil if there is none of that name.
func (c *NeMoCheckpoint) TensorShape(name string) []int64 { return c.tensors[name].Shape }

// HalfPrecision returns float16 or bfloat16, the type of a tensor's numbers; empty for another one, or if there is no
// tensor of that name.
func (c *NeMoCheckpoint) HalfPrecision(name string) string {
	t, ok := c.tensors[name]
	if !ok {
		return ""
	}
	return map[elementType]string{"HalfStorage": "float16", "BFloat16Storage": "bfloat16"}[t.storage.kind]
}

// TensorNumbers returns a tensor's numbers, row-major. Its shape must be the given one.
func (c *NeMoCheckpoint) TensorNumbers(name string, shape ...int64) ([]float32, error) {
	t, ok := c.tensors[name]
	if !ok {
		return nil, fmt.Errorf("the checkpoint lacks the weight %s", name)
	}
	if !slices.Equal(t.Shape, shape) {
		return nil, fmt.Errorf("the weight %s has shape %v; the configuration requires %v", name, t.Shape, shape)
	}
	c.taken[name] = true
	return t.ToFloat32s()
}

// UnusedTensors returns the names of tensors that were never read, sorted, except those that begin with one of the
// given prefixes: parts of the model that the importer does not support.
func (c *NeMoCheckpoint) UnusedTensors(except ...string) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(c.tensors)) {
		if !c.taken[name] && !slices.ContainsFunc(except, func(p string) bool { return strings.HasPrefix(name, p) }) {
			names = append(names, name)
		}
	}
	return names
}
