// Package backup writes and restores backups: one encrypted file of the database, the recordings and the
// installation's secret.
//
// # The file
//
// The outer layer is age encryption (age-encryption.org/v1, for a passphrase or for a public key), or none where that
// was requested. Inside:
//
//	"munadi-backup 1\n"
//	zstd of: the parts, the manifest, a zero
//
//	a part      name length, name, then chunks of at most 1 MiB, each with its length, a zero, SHA-256 of the content
//	manifest    a part of that name, the last one: what the file holds, and a digest over all parts before it
//
// Lengths are unsigned varints. The parts are the installation's secret (without it no API key is valid), a
// consistent snapshot of the database, and the files of the folders in [BackupFolders]. What can be generated again,
// the cache and the speech models, is left out, and so is the key that encrypts the database: a backup is readable by
// anyone who can decrypt the file, and can be restored under any database key or none.
//
// Recordings in a bucket are included only on request; the manifest names a bucket that was left out.
//
// The appliance keeps running during a backup. The snapshot is taken first and the files after it: a recording that
// was removed meanwhile is missing, one that is still being written is truncated, as after a crash.
//
// A file is written under a temporary name, synced, read back to its end and only then renamed. Reading checks every
// part against its checksum, all against the manifest, and the snapshot against its own; the file is untrusted input,
// and none of its names leads out of the folder that it is restored into.
//
// The package depends on the store's database and the layout of the data folder, not on its callers or their schedule.
package backup

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"strings"
	"time"

	"munadi/store/badger"
	"munadi/store/bucket"
	"munadi/store/call"
	"munadi/store/dump"
	"munadi/store/live"
	"munadi/store/record"
)

// magic is the file signature, inside the encryption.
const magic = "munadi-backup 1\n"

// The names of the parts.
const (
	partSecret   = "secret.key" // also its name in the data folder
	partDatabase = "database"
	partManifest = "manifest.json"
)

// BackupFolders lists the folders of the data folder that a backup includes: recordings, recordings of live sessions,
// the operator's own prompts, uploads of waiting transcription jobs, and the local certificate authority.
func BackupFolders() []string { return []string{"recordings", "live", "prompts", "jobs", "tls"} }

// BackupSource is the source of a backup.
type BackupSource struct {
	Data     string                                       // the data folder
	Secret   string                                       // file of the installation's secret; empty: data's secret.key
	Database func(ctx context.Context, w io.Writer) error // writes a snapshot
	Bucket   bucket.ObjectBucket                          // its recordings are copied; nil: none
	LeftOut  string                                       // the bucket that is not copied; empty: none
	Version  string                                       // of the program, for the manifest
	Now      time.Time
}

// IncludeBucket has the recordings of a bucket copied, or notes that they are left out.
func (s *BackupSource) IncludeBucket(b bucket.ObjectBucket, copies bool) {
	if copies {
		s.Bucket = b
		return
	}
	s.LeftOut = b.Location()
}

// BackupManifest describes the content of a backup.
type BackupManifest struct {
	MadeAt   time.Time           `json:"made_at"`
	Version  string              `json:"version"`
	Database badger.RecordCounts `json:"database"` // records by kind
	Files    int                 `json:"files"`    // in BackupFolders
	Parts    int                 `json:"parts"`
	Bytes    int64               `json:"bytes"`  // of all parts
	Digest   string              `json:"digest"` // over the parts' names, sizes and checksums
	// LeftOut names the bucket that holds the recordings which are not in the file; empty: all are.
	LeftOut string `json:"left_out,omitempty"`
	// Missing are the records that were damaged when the backup was made; nil: none.
	Missing *dump.IncompleteError `json:"missing,omitempty"`
	// Damaged are the recordings that were damaged then, and are in the file as they were.
	Damaged []string `json:"damaged,omitempty"`
}

// IsComplete reports that nothing was damaged.
func (m BackupManifest) IsComplete() bool { return m.Missing == nil && len(m.Damaged) == 0 }

// maxDamaged is the number of damaged recordings that are named.
const maxDamaged = 100

// DescribeFaults names what was damaged.
func (m BackupManifest) DescribeFaults() string {
	var said []string
	if m.Missing != nil {
		said = append(said, m.Missing.Error())
	}
	if n := len(m.Damaged); n > 0 {
		named := strings.Join(m.Damaged[:min(n, maxDamaged)], ", ")
		said = append(said, fmt.Sprintf("these recordings are damaged, and were copied as they are (%d): %s", n, named))
	}
	return strings.Join(said, "; and ")
}

// takeMissing notes what a whole dump says is missing; other errors are returned.
func (m *BackupManifest) takeMissing(err error) error {
	if errors.As(err, &m.Missing) {
		return nil
	}
	return err
}

// recordingSums are the sums of recordings by their names in the data folder.
type recordingSums map[string]call.RecordingSum

// noteRecord adds the recording of a record of a dump: of a call or a live session. Those of older versions have no
// sum. A record that cannot be parsed adds none: the database verifies its records.
func (s recordingSums) noteRecord(key, value []byte) {
	switch kind, name, _ := strings.Cut(string(key), "/"); kind {
	case "call":
		var r record.CallRecord
		if json.Unmarshal(value, &r) == nil && r.Call.RecordingSum != nil {
			s["recordings/"+r.Call.Recording] = *r.Call.RecordingSum
		}
	case "live":
		var l live.LiveSession
		if json.Unmarshal(value, &l) == nil && l.SoundSum != nil {
			s["live/"+name+".wav"] = *l.SoundSum
		}
	}
}

// checksumWriter is a writer that computes the checksum of the bytes written.
type checksumWriter struct {
	io.Writer
	h hash.Hash
}

func newSummed(w io.Writer) *checksumWriter {
	h := sha256.New()
	return &checksumWriter{io.MultiWriter(w, h), h}
}

func (s *checksumWriter) checksum() [sha256.Size]byte { return [sha256.Size]byte(s.h.Sum(nil)) }

// syncFolder syncs a folder, which makes renames in it durable.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}
