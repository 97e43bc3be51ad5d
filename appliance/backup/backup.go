// Package backup makes one file of all that the appliance remembers, and the appliance of such a file.
//
// # The file
//
// On the outside it is age-encrypted (age-encryption.org/v1, for a passphrase or for a public key), or plain where
// that was asked for. Inside:
//
//	"munadi-backup 1\n"
//	zstd of: the parts, the manifest, a zero
//
//	a part      name length, name, then chunks of at most 1 MiB, each with its length, a zero, SHA-256 of the content
//	manifest    a part of that name, the last one: what the file holds, and a digest over all parts before it
//
// Lengths are unsigned varints. The parts are the installation's secret (without it no API key opens anything), a
// dump of the database as it stood at one moment, and the files of the folders in [BackupFolders]. What can be made again,
// the cache and the speech models, stays out, and so does the key that encrypts the database: a backup is readable by
// whoever can open the file, and restored under any key or none.
//
// The appliance goes on working while a backup is made. The dump is taken first and the files after it: a recording
// that was removed meanwhile is missing, one that is still growing is cut, as after a crash.
//
// A file is written under another name, synced, read back to its end and only then given its name. Reading checks
// every part against its checksum, all against the manifest, and the dump against its own; a file is foreign bytes,
// and nothing of it leads out of the folder that it is restored into.
//
// The package knows the store's database and the form of the data folder, and neither who calls it nor how.
package backup

import (
	"context"
	"io"
	"time"

	"munadi/store/badger"
)

// magic begins what is inside the encryption.
const magic = "munadi-backup 1\n"

// The names of the parts.
const (
	partSecret   = "secret.key" // its name in the data folder, too
	partDatabase = "database"
	partManifest = "manifest.json"
)

// BackupFolders are the folders of the data folder that a backup holds whole: recordings, the sound of live transcriptions,
// an operator's own prompts, the uploads of transcription jobs that wait, and the local certificate authority.
func BackupFolders() []string { return []string{"recordings", "live", "prompts", "jobs", "tls"} }

// BackupSource is what a backup is made of.
type BackupSource struct {
	Data     string                                       // the data folder
	Secret   string                                       // file of the installation's secret; empty: data's secret.key
	Database func(ctx context.Context, w io.Writer) error // writes a dump
	Version  string                                       // of the program, for the manifest
	Now      time.Time
}

// BackupManifest says what a backup holds.
type BackupManifest struct {
	MadeAt   time.Time           `json:"made_at"`
	Version  string              `json:"version"`
	Database badger.RecordCounts `json:"database"` // records by kind
	Files    int                 `json:"files"`    // of the folders
	Parts    int                 `json:"parts"`
	Bytes    int64               `json:"bytes"`  // of all parts
	Digest   string              `json:"digest"` // over the parts' names, sizes and checksums
}
