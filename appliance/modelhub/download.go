package modelhub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"syscall"
	"time"

	"munadi/store/disk"
)

const (
	partial     = ".part"     // suffix of the name of an incomplete file
	maxFailures = 5           // in a row, without a byte
	stallAfter  = time.Minute // without a byte
	spareDisk   = 64 << 20    // bytes that must stay free
)

// Download fetches the model's files into dir, which may hold an earlier partial download, and checks each. progress
// receives the number of bytes present. A broken connection is resumed where it broke. A second concurrent download
// into the same folder is refused.
func (h *Hub) Download(ctx context.Context, m *Model, dir string, progress func(done int64)) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	unlock, err := lockFolder(dir)
	if err != nil {
		return err
	}
	defer unlock()
	if err := checkRoom(m, dir); err != nil {
		return err
	}
	var before int64
	for _, f := range m.Files {
		err := h.downloadFile(ctx, m, f, dir, func(done int64) { progress(before + done) })
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		before += f.Size
		progress(before)
	}
	return nil
}

// lockFolder takes an exclusive advisory lock (flock) on a folder; it ends with the process.
func lockFolder(dir string) (unlock func(), err error) {
	folder, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	descriptor := int(folder.Fd())
	if err := syscall.Flock(descriptor, syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = errors.New("this model is being downloaded by another munadi process; wait until it has ended, or stop it")
		}
		return nil, errors.Join(err, folder.Close())
	}
	return func() {
		_ = syscall.Flock(descriptor, syscall.LOCK_UN) // a child between fork and exec may hold the descriptor, too
		_ = folder.Close()
	}, nil
}

// checkRoom refuses a download that the disk has no room for.
func checkRoom(m *Model, dir string) error {
	missing := m.Size()
	for _, f := range m.Files {
		for _, name := range []string{path.Base(f.Name), path.Base(f.Name) + partial} {
			if st, err := os.Stat(filepath.Join(dir, name)); err == nil {
				missing -= st.Size()
			}
		}
	}
	now, err := disk.ReadState(dir)
	if needed := missing + spareDisk; err == nil && missing > 0 && int64(now.Free) < needed {
		return fmt.Errorf("the disk has %d MB free, and the download needs %d MB: free some, or set another folder with "+
			"--data", now.Free/1e6, needed/1e6)
	}
	return nil // a state that cannot be read: the write fails
}

// downloadFile downloads one file unless it is present. A present one is verified again, since the hub may report
// another checksum than before.
func (h *Hub) downloadFile(ctx context.Context, m *Model, f File, dir string, progress func(int64)) error {
	whole := filepath.Join(dir, path.Base(f.Name)) // no model has two files of one name in different folders
	if st, err := os.Stat(whole); err == nil && st.Size() == f.Size {
		if err := os.Rename(whole, whole+partial); err != nil {
			return err
		}
	}
	out, err := os.OpenFile(whole+partial, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	p := &partialFile{file: f, out: out, progress: progress}
	err = p.resumePartial()
	if err == nil {
		err = h.fetchFile(ctx, m, p)
	}
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return err
	}
	if err := p.verifyChecksum(); err != nil {
		return errors.Join(err, os.Remove(whole+partial))
	}
	return os.Rename(whole+partial, whole)
}

const partIsKept = "the downloaded part is kept, and the same command continues from there"

// fetchFile requests the missing bytes until the file is whole. Transient errors are retried (maxFailures).
func (h *Hub) fetchFile(ctx context.Context, m *Model, p *partialFile) error {
	for failures := 0; p.at < p.file.Size; {
		before := p.at
		err := h.fetchRest(ctx, m, p)
		if p.at > before {
			failures = 0
		}
		if err == nil {
			continue
		}
		if failures++; ctx.Err() == nil && failures < maxFailures && isTransient(err) {
			err = sleepContext(ctx, h.waitAfter(err))
		}
		if err = cmp.Or(ctx.Err(), err); err != nil {
			return fmt.Errorf("%w; %s", err, partIsKept)
		}
	}
	return nil
}

// isTransient reports whether a retry may succeed.
func isTransient(err error) bool {
	var unreachable *UnreachableError
	var busy *busyError
	return errors.As(err, &unreachable) || errors.As(err, &busy) && busy.wait <= maxWait ||
		errors.Is(err, errBroken) || errors.Is(err, errServer) || errors.Is(err, errRange)
}

func (h *Hub) waitAfter(err error) time.Duration {
	if busy, ok := errors.AsType[*busyError](err); ok {
		return busy.wait
	}
	return cmp.Or(h.Pause, 2*time.Second)
}

func sleepContext(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

var errBroken = errors.New("the connection was interrupted")

// fetchRest requests the missing bytes once and appends them.
func (h *Hub) fetchRest(ctx context.Context, m *Model, p *partialFile) error {
	r, err := h.resolveFile(ctx, m, p.file.Name, p.at)
	if errors.Is(err, errRange) {
		return errors.Join(err, p.discardPartial())
	}
	if err != nil {
		return err
	}
	defer func() { _ = r.body.Close() }()
	if r.file.SHA256 != "" && r.file.SHA256 != p.file.SHA256 {
		return newFault(BadChecksum, "the hub now reports another SHA-256 than before")
	}
	if r.from != p.at {
		if err := p.discardPartial(); err != nil {
			return err
		}
	}
	if _, err := p.out.Seek(p.at, io.SeekStart); err != nil {
		return err
	}
	stalled := time.AfterFunc(stallAfter, func() { _ = r.body.Close() })
	defer stalled.Stop()
	in := &stallReader{in: io.LimitReader(r.body, p.file.Size-p.at), part: p, timer: stalled}
	_, err = io.CopyBuffer(io.MultiWriter(p.out, p.checksumWriter()), in, make([]byte, 256<<10))
	if err == nil && p.at < p.file.Size {
		err = io.ErrUnexpectedEOF
	}
	if in.err != nil || errors.Is(err, io.ErrUnexpectedEOF) {
		return newFault(ConnectionBroke, "%w at %d of %d bytes: %w", errBroken, p.at, p.file.Size, errors.Join(in.err, err))
	}
	return err
}
