package nemo

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Checkpoint is an open .nemo file.
type Checkpoint struct {
	Config
	archive *archive
	tensors map[string]Tensor
	taken   map[string]bool
}

// Open reads the configuration and the list of tensors of the checkpoint at path, and checks the weights' checksums.
// A compressed archive is unpacked into spoolDir until Close. The error says what can't be imported and what can.
func Open(path, spoolDir string) (*Checkpoint, error) {
	a, err := openArchive(path, spoolDir)
	if err != nil {
		return nil, err
	}
	c := &Checkpoint{archive: a, taken: map[string]bool{}}
	if err := c.read(); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return c, nil
}

func (c *Checkpoint) read() error {
	b, err := c.archive.read(configMember, maxConfig)
	if err != nil {
		return err
	}
	if c.Config, err = parseConfig(b); err != nil {
		return err
	}
	weights := c.archive.members[weightsMember]
	if weights == nil {
		return fmt.Errorf("not a whole NeMo checkpoint: it lacks %s", weightsMember)
	}
	c.tensors, err = readWeights(weights)
	return err
}

// Close frees the file.
func (c *Checkpoint) Close() error { return c.archive.Close() }

// TokenizerModel returns the SentencePiece model's bytes.
func (c *Checkpoint) TokenizerModel() ([]byte, error) {
	name := c.Tokenizer
	if c.archive.members[name] == nil { // old files lack the prefix, or only they have it
		for member := range c.archive.members {
			if strings.HasSuffix(member, "tokenizer.model") {
				name = member
			}
		}
	}
	return c.archive.read(name, maxArtifact)
}

// Has reports whether there is a tensor of that name.
func (c *Checkpoint) Has(name string) bool {
	_, ok := c.tensors[name]
	return ok
}

// Shape returns a tensor's sizes, nil if there is none of that name.
func (c *Checkpoint) Shape(name string) []int64 { return c.tensors[name].Shape }

// Numbers returns a tensor's numbers, row-major. Its sizes must be those given.
func (c *Checkpoint) Numbers(name string, shape ...int64) ([]float32, error) {
	t, ok := c.tensors[name]
	if !ok {
		return nil, fmt.Errorf("the checkpoint lacks the weight %s", name)
	}
	if !slices.Equal(t.Shape, shape) {
		return nil, fmt.Errorf("the weight %s has sizes %v; the configuration makes them %v", name, t.Shape, shape)
	}
	c.taken[name] = true
	return t.Float32s()
}

// Unused returns the names of tensors under the given prefixes that were never asked for, sorted: parts of the model
// that its importer does not know.
func (c *Checkpoint) Unused(prefixes ...string) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(c.tensors)) {
		if !c.taken[name] && slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
			names = append(names, name)
		}
	}
	return names
}
