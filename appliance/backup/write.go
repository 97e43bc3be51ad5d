package backup

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/klauspost/compress/zstd"

	"munadi/store/badger"
	"munadi/store/bucket"
)

const (
	// unfinishedPrefix begins the names of backups that are being written, or were when the process was killed; the name
	// that they would have got follows.
	unfinishedPrefix = ".munadi-backup-"
	// IncompleteSuffix ends the name of an incomplete backup where a complete one has the name.
	IncompleteSuffix = ".incomplete"
)

// RemoveUnfinished removes the unfinished backups of a name in a folder, of all names for an empty one, that were last
// written before a time.
func RemoveUnfinished(folder, name string, before time.Time) error {
	all, err := filepath.Glob(filepath.Join(folder, unfinishedPrefix+name+"*"))
	for _, path := range all {
		info, failed := os.Stat(path)
		if failed == nil && info.ModTime().Before(before) {
			failed = os.Remove(path)
		}
		if !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// WriteBackup writes a backup and reads it back to its end before it is renamed to path. With a lock that encrypts but
// cannot decrypt (a public key alone), the file is compared with the written bytes by checksum, and opened is false.
// An existing file is replaced only with overwrite. When records or recordings are damaged, all others are backed up
// and the error is an [*IncompleteError]; such a backup does not replace an existing one, but gets the suffix
// [IncompleteSuffix].
func WriteBackup(
	ctx context.Context, path string, from BackupSource, lock BackupLock, overwrite bool,
) (m BackupManifest, opened bool, err error) {
	if err := lock.CheckCanClose(); err != nil {
		return m, false, err
	}
	if _, err := os.Stat(path); err == nil && !overwrite {
		return m, false, fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), unfinishedPrefix+filepath.Base(path)+"-*")
	if errors.Is(err, fs.ErrNotExist) {
		return m, false, fmt.Errorf("there is no folder %s: create it first", filepath.Dir(path))
	}
	if err != nil {
		return m, false, fmt.Errorf("make the backup's file: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temp.Name()) // report the first error
		}
	}()
	written := newSummed(temp)
	m, err = writeTo(ctx, written, from, lock)
	if err = errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return m, false, fmt.Errorf("write the backup: %w", err)
	}
	if opened, err = readBack(temp.Name(), m, written.checksum(), lock); err != nil {
		return m, false, fmt.Errorf("the backup was written and cannot be read back: %w", err)
	}
	return m, opened, renameBackup(temp.Name(), path, m)
}

// renameBackup moves a written backup to its path; the error of an incomplete one is an [*IncompleteError].
func renameBackup(temp, path string, m BackupManifest) error {
	if _, err := os.Stat(path); err == nil && !m.IsComplete() {
		path += IncompleteSuffix
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	if err := syncFolder(filepath.Dir(path)); err != nil || m.IsComplete() {
		return err
	}
	return &IncompleteError{File: path, Faults: m.DescribeFaults()}
}

// IncompleteError means that a backup was written without damaged records, or with damaged recordings.
type IncompleteError struct {
	File   string
	Faults string // what is damaged
}

// Error implements error.
func (e *IncompleteError) Error() string {
	return fmt.Sprintf("the backup %s is INCOMPLETE: %s. It holds all that can be read; keep older backups, and check "+
		"the disk (munadi doctor)", e.File, e.Faults)
}

// writeTo writes all layers of a backup.
func writeTo(ctx context.Context, w io.Writer, from BackupSource, lock BackupLock) (m BackupManifest, err error) {
	sealed, err := lock.newEncrypter(w)
	if err != nil {
		return m, err
	}
	if _, err := io.WriteString(sealed, magic); err != nil {
		return m, err
	}
	packed, err := zstd.NewWriter(sealed, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return m, err
	}
	p := newPartWriter(packed)
	m, err = writeParts(ctx, p, from)
	if err != nil {
		_ = packed.Close() // says the same again
		return m, err
	}
	return m, cmp.Or(p.closeFile(), packed.Close(), sealed.Close())
}

// writeParts writes the parts and their manifest.
func writeParts(ctx context.Context, p *partWriter, from BackupSource) (BackupManifest, error) {
	m := BackupManifest{MadeAt: from.Now.UTC(), Version: from.Version, LeftOut: from.LeftOut}
	secret := cmp.Or(from.Secret, filepath.Join(from.Data, partSecret))
	if err := writeFile(ctx, p, partSecret, secret); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	var err error
	if m.Database, err = writeDatabase(ctx, p, from); m.takeMissing(err) != nil {
		return m, fmt.Errorf("back up the database: %w", err)
	}
	written := map[string]bool{}
	for _, folder := range BackupFolders() {
		if err := writeFolder(ctx, p, from.Data, folder, written); err != nil {
			return m, err
		}
	}
	if from.Bucket != nil { // after the folders: a recording uploaded meanwhile is then in at least one of the two
		for _, folder := range bucketFolders() {
			if err := writeObjects(ctx, p, from.Bucket, folder+"/", written); err != nil {
				return m, fmt.Errorf("back up the bucket: %w", err)
			}
		}
	}
	m.Files, m.Damaged = len(written), p.damaged
	m.Parts, m.Bytes, m.Digest = p.totals.Parts, p.totals.Bytes, p.totals.Digest
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return m, err
	}
	if err := p.beginPart(partManifest); err != nil {
		return m, err
	}
	if _, err := p.Write(text); err != nil {
		return m, err
	}
	return m, p.endPart()
}

// writeDatabase writes the snapshot and counts its records on the way, which also verifies that it is whole.
func writeDatabase(ctx context.Context, p *partWriter, from BackupSource) (badger.RecordCounts, error) {
	if err := p.beginPart(partDatabase); err != nil {
		return nil, err
	}
	passing, into := io.Pipe()
	type result struct {
		counts badger.RecordCounts
		err    error
	}
	checked := make(chan result, 1)
	go func() {
		counts, err := badger.CheckDump(passing, p.recordings.noteRecord)
		passing.CloseWithError(err) // ends a writer that is still running
		checked <- result{counts, err}
	}()
	err := from.Database(ctx, io.MultiWriter(p, into))
	_ = into.CloseWithError(err) // nil means io.EOF
	seen := <-checked
	if err == nil {
		err = p.endPart()
	}
	return seen.counts, cmp.Or(err, seen.err)
}

// writeFolder writes the files of a folder and its subfolders, and adds their names to written. A missing folder has
// none.
func writeFolder(ctx context.Context, p *partWriter, data, folder string, written map[string]bool) error {
	root := os.DirFS(data)
	return fs.WalkDir(root, folder, func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || err == nil && !entry.Type().IsRegular() {
			return nil // removed meanwhile, or not a regular file
		}
		if err != nil {
			return err
		}
		err = writeFile(ctx, p, name, filepath.Join(data, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		written[name] = true
		return err
	})
}

// bucketFolders lists the folders of [BackupFolders] that a bucket may hold.
func bucketFolders() []string { return []string{"recordings", "live", "prompts", "jobs"} }

// writeObjects writes the objects of a bucket whose names begin with a prefix, unless they are written already. A
// restore puts them into the data folder, from which they are uploaded again.
func writeObjects(
	ctx context.Context, p *partWriter, from bucket.ObjectBucket, prefix string, written map[string]bool,
) error {
	for o, err := range from.ListObjects(ctx, prefix) {
		if err != nil {
			return err
		}
		if written[o.Name] || len(o.Name) > maxName || !fs.ValidPath(o.Name) {
			continue
		}
		content, err := from.OpenObject(ctx, o.Name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed meanwhile
		}
		if err != nil {
			return err
		}
		written[o.Name] = true
		if err = errors.Join(writePart(p, o.Name, content), content.Close()); err != nil {
			return err
		}
	}
	return nil
}

// writePart writes one part.
func writePart(p *partWriter, name string, content io.Reader) error {
	if err := p.beginPart(name); err != nil {
		return err
	}
	if _, err := io.Copy(p, bufio.NewReader(content)); err != nil {
		return fmt.Errorf("back up %s: %w", name, err)
	}
	return p.endPart()
}

// writeFile writes a file as the part of that name; fs.ErrNotExist, and no part, if it does not exist.
func writeFile(ctx context.Context, p *partWriter, name, path string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(name) > maxName {
		return fmt.Errorf("the file's name is too long for a backup: %s", name)
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return writePart(p, name, file)
}
