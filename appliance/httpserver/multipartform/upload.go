package multipartform

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"

	"munadi/store/disk"
)

// UploadedFile is one uploaded file: in memory up to 1 MiB, in a temporary file beyond. The temporary file is
// unlinked as soon as it is created (unless FormDecoder.Named), so that not even a crash leaves one behind.
type UploadedFile struct {
	Filename string // as the client named it; for messages only
	Size     int64  // bytes

	data []byte   // content of a small upload
	file *os.File // temporary file of a large one
	path string   // of file, while it has a name
}

// Open returns the content from its beginning. One reader at a time: a spooled upload has one file offset.
func (u *UploadedFile) Open() (io.ReadSeeker, error) {
	if u.file == nil {
		return bytes.NewReader(u.data), nil
	}
	if _, err := u.file.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("rewind the upload: %w", err)
	}
	return u.file, nil
}

// MoveTo syncs a named upload to disk, renames it to path and closes it.
func (u *UploadedFile) MoveTo(path string) error {
	if u.path == "" {
		return errors.New("the upload has no name to move from")
	}
	if err := u.file.Sync(); err != nil {
		return fmt.Errorf("sync the upload: %w", err)
	}
	if err := os.Rename(u.path, path); err != nil {
		return fmt.Errorf("keep the upload: %w", err)
	}
	u.path = ""
	return u.Close()
}

// Close releases the upload and its temporary file. It may be called on nil and more than once.
func (u *UploadedFile) Close() error {
	if u == nil || u.file == nil {
		return nil
	}
	err := u.file.Close()
	if u.path != "" {
		err = errors.Join(err, os.Remove(u.path))
	}
	u.file, u.path = nil, ""
	if err != nil {
		return fmt.Errorf("close the upload: %w", err)
	}
	return nil
}

// SpoolUpload copies r to memory, and to a temporary file once it does not fit. It returns ErrTooLarge beyond MaxFile
// bytes.
func (d FormDecoder) SpoolUpload(r io.Reader) (*UploadedFile, error) {
	u := &UploadedFile{}
	if err := d.fillUpload(u, d.limitReader(r)); err != nil {
		return nil, errors.Join(err, u.Close())
	}
	if d.MaxFile > 0 && u.Size > d.MaxFile {
		return nil, errors.Join(ErrTooLarge, u.Close())
	}
	return u, nil
}

// limitReader reads at most MaxFile+1 bytes, so that an upload over the limit is distinguishable from one that just
// fits.
func (d FormDecoder) limitReader(r io.Reader) io.Reader {
	if d.MaxFile <= 0 {
		return r
	}
	return io.LimitReader(r, d.MaxFile+1)
}

// receiving is the memory reserved for uploads that arrive, in bytes, of all forms.
var receiving atomic.Int64

// maxReceiving bounds receiving; beyond it uploads are spooled from their first byte on.
const maxReceiving = 256 << 20

// heads are spare buffers for the first bytes of uploads, up to memory.
var heads = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func (d FormDecoder) fillUpload(u *UploadedFile, r io.Reader) error {
	head, _ := heads.Get().(*bytes.Buffer)
	head.Reset()
	defer heads.Put(head)
	defer receiving.Add(-memory)
	if receiving.Add(memory) <= maxReceiving && !d.Named {
		n, err := io.CopyN(head, r, memory+1)
		if errors.Is(err, io.EOF) {
			u.data, u.Size = bytes.Clone(head.Bytes()), n
			return nil
		}
		if err != nil {
			return err
		}
	}
	if err := d.createFile(u); err != nil {
		return err
	}
	to := &reserveWriter{file: u.file, dir: filepath.Dir(u.file.Name())}
	n, err := io.CopyBuffer(to, io.MultiReader(head, r), make([]byte, copySize))
	u.Size = n
	return err
}

const (
	// spare is the disk reserve in bytes that uploads leave free: more than the database needs to finish work in
	// progress.
	spare = 64 << 20
	// diskCheckBytes is how many bytes of an upload are written between two checks of the free disk space.
	diskCheckBytes = 8 << 20
)

// reserveWriter writes a file and fails with ENOSPC once less than the disk reserve is free.
type reserveWriter struct {
	file *os.File
	dir  string
	left int // bytes until the next check
}

// Write implements io.Writer.
func (c *reserveWriter) Write(p []byte) (int, error) {
	if c.left -= len(p); c.left < 0 {
		if disk.CheckRoom(c.dir, spare) != nil {
			return 0, fmt.Errorf("spool the upload: %w", syscall.ENOSPC)
		}
		c.left = diskCheckBytes
	}
	return c.file.Write(p)
}

func (d FormDecoder) createFile(u *UploadedFile) error {
	const pattern = "upload-*.part"
	f, err := os.CreateTemp(d.Dir, pattern)
	if errors.Is(err, fs.ErrNotExist) { // somebody emptied the cache
		if err = os.MkdirAll(d.Dir, 0o700); err == nil {
			f, err = os.CreateTemp(d.Dir, pattern)
		}
	}
	if err != nil {
		return fmt.Errorf("spool the upload: %w", err)
	}
	u.file = f
	if d.Named {
		u.path = f.Name()
		return nil
	}
	if err := os.Remove(f.Name()); err != nil {
		return fmt.Errorf("spool the upload: %w", err)
	}
	return nil
}
