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

// room says how the disk of a database stands. The zero value is that of one in memory.
type room struct {
	dir  string
	look func(dir string) (disk.State, error)
}

func newRoom(dir string, opt Options) room {
	if opt.InMemory {
		return room{}
	}
	if opt.Disk == nil {
		opt.Disk = disk.Look
	}
	return room{dir, opt.Disk}
}

// verdict is whether a group's commands may be written.
type verdict struct{ usual, urgent error }

// judge looks at the disk; a look that fails refuses nothing, since the write will tell.
func (r room) judge() verdict {
	if r.look == nil {
		return verdict{}
	}
	s, err := r.look(r.dir)
	if err != nil {
		return verdict{}
	}
	return verdict{noRoom(s.Room(reserve)), noRoom(s.Room(lastReserve))}
}

// of is the verdict on one command. Urgent ones end what has begun, or make room: they may use most of the reserve.
func (v verdict) of(urgent bool) error {
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

// Writable is nil while new work can be taken on. The error is [store.CodeClosed], [store.CodeNoRoom] with what is wrong
// with the disk, or that of the last transaction, which could not be written.
func (s *Store) Writable() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return errClosed()
	}
	if err := s.committer.room.judge().usual; err != nil {
		return err
	}
	if failed := s.committer.failed.Load(); failed != nil {
		return *failed
	}
	return nil
}

// TryWrite writes a small record, to find out whether the database takes anything again.
func (s *Store) TryWrite(ctx context.Context) error {
	return s.edit(ctx, func(e edit) error {
		e.raw(key(kindProbe), []byte{})
		return nil
	})
}
