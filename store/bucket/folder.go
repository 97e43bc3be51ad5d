package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/renameio/v2"

	"munadi/store"
)

// folderBucket stores objects as files in a folder.
type folderBucket struct{ dir string }

func openFolder(dir string) (*folderBucket, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, explainFolder(dir, err)
	}
	return &folderBucket{dir}, nil
}

// explainFolder translates an error of the file system.
func explainFolder(name string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return &store.Error{Code: store.CodeNotFound, Message: "there is no " + name, Err: err}
	case errors.Is(err, fs.ErrPermission):
		return &store.Error{
			Code:    store.CodeInvalid,
			Message: "the folder of --recordings cannot be used: the user of the appliance needs to read and write it", Err: err,
		}
	}
	return &store.Error{Code: store.CodeUnavailable, Message: "the folder of --recordings cannot be used now", Err: err}
}

// filePath returns the file of an object.
func (b *folderBucket) filePath(name string) (string, error) {
	if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\\x00") {
		return "", store.Errorf(store.CodeInvalid, "%q is not an object name: a relative path without '..'", name)
	}
	return filepath.Join(b.dir, filepath.FromSlash(name)), nil
}

// PutObject implements [ObjectBucket].
func (b *folderBucket) PutObject(ctx context.Context, name string, content io.ReaderAt, size int64) error {
	path, err := b.filePath(name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return explainFolder(name, err)
	}
	file, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o600),
		renameio.WithTempDir(filepath.Dir(path)), renameio.WithExistingPermissions())
	if err != nil {
		return explainFolder(name, err)
	}
	defer file.Cleanup() //nolint:errcheck // a no-op after the file was renamed into place
	written, err := io.Copy(file, readerWithContext{ctx, io.NewSectionReader(content, 0, math.MaxInt64)})
	if err == nil && written != size {
		err = fmt.Errorf("%d bytes of %d were stored", written, size)
	}
	if err == nil {
		err = file.CloseAtomicallyReplace()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return explainFolder(name, err)
}

// readerWithContext stops reading when its context ends.
type readerWithContext struct {
	ctx  context.Context //nolint:containedctx // of one copy
	from io.Reader
}

// Read implements io.Reader.
func (r readerWithContext) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}

// OpenObject implements [ObjectBucket].
func (b *folderBucket) OpenObject(_ context.Context, name string) (OpenedObject, error) {
	path, err := b.filePath(name)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, explainFolder(name, err)
	}
	return file, nil
}

// RemoveObject implements [ObjectBucket].
func (b *folderBucket) RemoveObject(_ context.Context, name string) error {
	path, err := b.filePath(name)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return explainFolder(name, err)
	}
	return nil
}

// MoveObject implements [ObjectBucket].
func (b *folderBucket) MoveObject(_ context.Context, from, to string) error {
	old, err := b.filePath(from)
	if err != nil {
		return err
	}
	path, err := b.filePath(to)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return explainFolder(to, err)
	}
	return explainFolder(from, os.Rename(old, path))
}

// ListObjects implements [ObjectBucket].
func (b *folderBucket) ListObjects(ctx context.Context, prefix string) iter.Seq2[ObjectInfo, error] {
	return func(yield func(ObjectInfo, error) bool) {
		start := "."
		if at := strings.LastIndexByte(prefix, '/'); at > 0 {
			start = prefix[:at]
		}
		err := fs.WalkDir(os.DirFS(b.dir), start, func(name string, entry fs.DirEntry, err error) error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if errors.Is(err, fs.ErrNotExist) && name != "." {
				return nil // removed meanwhile, or no object has that prefix
			}
			if err != nil || !entry.Type().IsRegular() || !strings.HasPrefix(name, prefix) || isTemporary(name) {
				return err
			}
			info, err := entry.Info()
			if err != nil {
				return nil //nolint:nilerr // removed meanwhile
			}
			if !yield(ObjectInfo{Name: name, Size: info.Size(), Modified: info.ModTime()}, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(ObjectInfo{}, explainFolder(b.dir, err))
		}
	}
}

// isTemporary reports whether a file is the temporary one of an object that is being stored.
func isTemporary(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(base, ".") && base != markName
}

// MeasureClock implements [ObjectBucket].
func (*folderBucket) MeasureClock(context.Context) (time.Duration, error) { return 0, nil }

// Location implements [ObjectBucket].
func (b *folderBucket) Location() string { return b.dir }
