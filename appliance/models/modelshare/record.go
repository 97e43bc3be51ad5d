package modelshare

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"munadi/appliance/models"
	"munadi/store"
	"munadi/store/bucket"
	"munadi/store/mirror"
)

// Names of objects.
const (
	rootPrefix   = "models/"
	indexPrefix  = rootPrefix + "index/"
	filesPrefix  = rootPrefix + "files/"
	selectedName = rootPrefix + "selected.json"
	recordSuffix = ".json"
)

// Limits of the records in the bucket.
const (
	maxRecord = 256 << 10 // bytes
	maxFiles  = 64        // of a model
	maxBytes  = 32 << 30  // of a model
)

// SharedFile is a file of a model.
type SharedFile struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"` // hexadecimal
}

// ModelRecord is the record of a model in the bucket.
type ModelRecord struct {
	Name     string       `json:"name"`
	Revision string       `json:"revision"`
	Files    []SharedFile `json:"files"`
	At       time.Time    `json:"at"`
}

// Bytes returns the size of the files.
func (r ModelRecord) Bytes() (sum int64) {
	for _, f := range r.Files {
		sum += f.Size
	}
	return sum
}

// Selection is the model that all appliances serve with.
type Selection struct {
	Name string    `json:"name"` // empty: the built-in one
	At   time.Time `json:"at"`
}

// revisionOf returns the digest over files, which are sorted by it.
func revisionOf(files []SharedFile) string {
	slices.SortFunc(files, func(a, b SharedFile) int { return cmp.Compare(a.Name, b.Name) })
	sum := sha256.New()
	for _, f := range files {
		fmt.Fprintf(sum, "%q %d %s\n", f.Name, f.Size, f.SHA256)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

var (
	validFile = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._+-]{0,127}$`)
	validSum  = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// errRecord means that an object in the bucket is not a valid record of a model.
var errRecord = errors.New("the record of a model in the bucket is invalid")

// ParseRecord parses and checks the record of the model of a name.
func ParseRecord(name string, content []byte) (r ModelRecord, err error) {
	if json.Unmarshal(content, &r) != nil || r.Name != name || models.CheckName(name) != nil ||
		len(r.Files) == 0 || len(r.Files) > maxFiles {
		return ModelRecord{}, errRecord
	}
	var sum int64
	for i, f := range r.Files {
		if !validFile.MatchString(f.Name) || !validSum.MatchString(f.SHA256) || f.Size < 0 || f.Size > maxBytes ||
			slices.ContainsFunc(r.Files[:i], func(other SharedFile) bool { return other.Name == f.Name }) {
			return ModelRecord{}, errRecord
		}
		sum += f.Size
	}
	if sum > maxBytes || r.Revision != revisionOf(r.Files) {
		return ModelRecord{}, errRecord
	}
	return r, nil
}

// parseSelection parses and checks a selection.
func parseSelection(content []byte) (s Selection, err error) {
	if json.Unmarshal(content, &s) != nil || s.Name != "" && models.CheckName(s.Name) != nil {
		return Selection{}, errRecord
	}
	return s, nil
}

// fileObject returns the object of a model's file.
func fileObject(r ModelRecord, file string) string {
	return filesPrefix + r.Name + "/" + r.Revision + "/" + file
}

// indexObject returns the object of a model's record.
func indexObject(name string) string { return indexPrefix + name + recordSuffix }

// indexName returns the model of a record's object; false for another object.
func indexName(object string) (name string, ok bool) {
	name, indexed := strings.CutPrefix(object, indexPrefix)
	name, suffixed := strings.CutSuffix(name, recordSuffix)
	return name, indexed && suffixed && models.CheckName(name) == nil
}

// readObject reads a small object.
func readObject(ctx context.Context, b bucket.ObjectBucket, name string) ([]byte, error) {
	content, err := bucket.ReadObject(ctx, b, name, maxRecord+1)
	if err == nil && len(content) > maxRecord {
		return nil, errRecord
	}
	return content, err
}

// writeObject stores a value as JSON.
func writeObject(ctx context.Context, b bucket.ObjectBucket, name string, value any) error {
	content, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return bucket.PutBytes(ctx, b, name, content)
}

// isMissing reports whether an error means that there is no such object.
func isMissing(err error) bool { return store.CodeOf(err) == store.CodeNotFound }

// seenState is the last seen state of the bucket: it distinguishes changes made here from those made elsewhere.
type seenState struct {
	Bucket   string            `json:"bucket,omitempty"`   // see [bucket.EnsureMark]; empty: of an older version
	Models   map[string]string `json:"models"`             // revisions that were here and in the bucket, by name
	Selected *string           `json:"selected,omitempty"` // the selection that was in force here; nil: none yet
}

// readState reads the state.
func readState(path string) seenState {
	s := mirror.ReadSeen[seenState](path)
	if s.Models == nil {
		s.Models = map[string]string{}
	}
	return s
}

// writeState replaces the state.
func (s seenState) writeState(path string) error { return mirror.WriteSeen(path, s) }
