package badger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"munadi/store"
	"munadi/store/disk"
	"munadi/store/disk/ballast"
)

const (
	// reserve is the free disk space, in bytes, below which new work is refused: headroom for Badger's own writes (a
	// memtable, its table, a compaction) and for ending running work.
	reserve = 128 << 20
	// lastReserve is the free disk space below which all other commands are refused too.
	lastReserve = 32 << 20
)

// maxBallast is the size of the ballast in bytes: Badger's writes while another process has filled the disk.
const maxBallast = 128 << 20

// probeFile is the name of the file that tests whether the disk is writable.
const probeFile = "PROBE"

// diskReserve checks the free space of the database's disk. The zero value is for a database in memory.
type diskReserve struct {
	dir     string
	look    func(dir string) (disk.DiskState, error)
	ballast *ballast.Ballast // nil: none
}

func newDiskReserve(dir string, opt OpenOptions) diskReserve {
	if opt.InMemory {
		return diskReserve{}
	}
	if opt.Disk == nil {
		opt.Disk = disk.ReadState
	}
	return diskReserve{dir: dir, look: opt.Disk}
}

// holdBallast holds an eighth of the free space, at most maxBallast: the disk may fill between a check and Badger's
// writes, and while Badger writes in the background. Without it, on a nearly full disk or a file system that cannot
// allocate, that would end the process.
func (r diskReserve) holdBallast() (*ballast.Ballast, error) {
	s, err := r.look(r.dir)
	if err != nil {
		return nil, err
	}
	if s.CheckRoom(2*reserve) != nil {
		return nil, nil //nolint:nilerr // too little to hold any
	}
	return ballast.HoldSpace(r.dir, int64(min(maxBallast, s.Free/8)))
}

// tryFile writes, syncs and removes a file beside the database: a file system can refuse to write although it is not
// mounted read-only (ext4 after an error, since Linux 6.15).
func (r diskReserve) tryFile() error {
	if r.look == nil {
		return nil
	}
	path := filepath.Join(r.dir, probeFile)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString("probe")
		err = errors.Join(err, f.Sync(), f.Close(), os.Remove(path))
	}
	if err == nil {
		return nil
	}
	if failed, ok := errors.AsType[*fs.PathError](err); ok { // the path is not for clients
		err = failed.Err
	}
	return fmt.Errorf("%w: %w", errNotWritten, err)
}

// reserveVerdict holds the reasons to refuse usual and urgent commands; nil allows them.
type reserveVerdict struct{ usual, urgent error }

// checkReserve compares the free space with the reserve. If it cannot be read no command is refused, since the write
// itself fails on a full disk.
func (r diskReserve) checkReserve() reserveVerdict {
	if r.look == nil {
		return reserveVerdict{}
	}
	s, err := r.look(r.dir)
	if err != nil {
		return reserveVerdict{}
	}
	if missing := r.ballast.MissingSpace(); missing > 0 && s.Free >= reserve+uint64(missing) {
		_ = r.ballast.HoldAgain() // the next check tries again
	}
	return reserveVerdict{diskFullError(s.CheckRoom(reserve)), diskFullError(s.CheckRoom(lastReserve))}
}

// verdictFor returns the error for one command, or nil. Urgent commands end running work or free space, and may use
// most of the reserve.
func (v reserveVerdict) verdictFor(urgent bool) error {
	if urgent {
		return v.urgent
	}
	return v.usual
}

// diskFullError wraps err with [store.CodeNoRoom].
func diskFullError(err error) error {
	if err == nil {
		return nil
	}
	return &store.Error{Code: store.CodeNoRoom, Message: "nothing can be stored: " + err.Error()}
}

// CheckWritable returns nil while new work can be accepted (health check). The error is [store.CodeClosed],
// [store.CodeNoRoom] with the state of the disk, or that of the last transaction if it failed.
func (s *BadgerStore) CheckWritable() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return errClosed()
	}
	if err := s.committer.reserve.checkReserve().usual; err != nil {
		return err
	}
	return s.committer.lastFailure()
}

// TryWrite writes a small record, to probe whether the database is writable again.
func (s *BadgerStore) TryWrite(ctx context.Context) error {
	return s.updateTx(ctx, func(e writeTx) error {
		e.putRaw(joinKey(kindProbe), []byte{})
		return nil
	})
}
