package badger

import (
	"context"

	"munadi/store"
	"munadi/store/disk"
)

const (
	// reserve is what must be free on the disk before anything new is taken on, in bytes: room for what the database
	// writes on its own account (a memtable, its table, a compaction), and for the end of what has begun.
	reserve = 128 << 20
	// lastReserve is what must be free for everything else.
	lastReserve = 32 << 20
)

// diskReserve says how the disk of a database stands. The zero value is that of one in memory.
type diskReserve struct {
	dir  string
	look func(dir string) (disk.DiskState, error)
}

func newRoom(dir string, opt OpenOptions) diskReserve {
	if opt.InMemory {
		return diskReserve{}
	}
	if opt.Disk == nil {
		opt.Disk = disk.ReadState
	}
	return diskReserve{dir, opt.Disk}
}

// reserveVerdict is whether a group's commands may be written.
type reserveVerdict struct{ usual, urgent error }

// checkReserve looks at the disk; a look that fails refuses nothing, since the write will tell.
func (r diskReserve) checkReserve() reserveVerdict {
	if r.look == nil {
		return reserveVerdict{}
	}
	s, err := r.look(r.dir)
	if err != nil {
		return reserveVerdict{}
	}
	return reserveVerdict{noRoom(s.CheckRoom(reserve)), noRoom(s.CheckRoom(lastReserve))}
}

// verdictFor is the verdict on one command. Urgent ones end what has begun, or make room: they may use most of the reserve.
func (v reserveVerdict) verdictFor(urgent bool) error {
	if urgent {
		return v.urgent
	}
	return v.usual
}

// noRoom is err as the store's.
func noRoom(err error) error {
	if err == nil {
		return nil
	}
	return &store.Error{Code: store.CodeNoRoom, Message: "nothing can be stored: " + err.Error()}
}

// CheckWritable is nil while new work can be taken on. The error is [store.CodeClosed], [store.CodeNoRoom] with what is wrong
// with the disk, or that of the last transaction, which could not be written.
func (s *BadgerStore) CheckWritable() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return errClosed()
	}
	if err := s.committer.room.checkReserve().usual; err != nil {
		return err
	}
	if failed := s.committer.failed.Load(); failed != nil {
		return *failed
	}
	return nil
}

// TryWrite writes a small record, to find out whether the database takes anything again.
func (s *BadgerStore) TryWrite(ctx context.Context) error {
	return s.updateTx(ctx, func(e writeTx) error {
		e.putRaw(joinKey(kindProbe), []byte{})
		return nil
	})
}
