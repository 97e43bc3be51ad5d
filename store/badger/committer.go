package badger

import (
	"errors"
	"sync/atomic"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// groupLimit bounds how many commands share a transaction; more would only delay the first one's answer.
const groupLimit = 512

// command is one change that waits to be made.
type command struct {
	// decide reads the view and lists the changes; its error refuses the command alone. It may be called again, on a
	// fresh view, when the transaction was full: it must assign what it returns to its caller, never append to it.
	decide func(view, *changes) error
	// err is the outcome, once done is closed.
	err error
	// kinds are what the command has touched.
	kinds []store.Kind
	done  chan struct{}
}

// committer makes the changes of all callers, many in one synced transaction.
type committer struct {
	db       *badgerdb.DB
	room     room
	mark     *mark // nil in memory
	memo     *memo
	lost     *unreadable
	watchers watchers
	commands chan *command
	done     chan struct{}
	failed   atomic.Pointer[error] // why the last transaction could not be written; nil when it could
}

// startCommitter begins to take commands.
func startCommitter(db *badgerdb.DB, mark *mark, memo *memo, room room, lost *unreadable) *committer {
	c := &committer{
		db: db, room: room, mark: mark, memo: memo, lost: lost,
		commands: make(chan *command, groupLimit), done: make(chan struct{}),
	}
	go c.run()
	return c
}

// stop makes the changes that still wait and ends; no command may follow.
func (c *committer) stop() {
	close(c.commands)
	<-c.done
}

// run merges what waits, for as long as commands come.
func (c *committer) run() {
	defer close(c.done)
	for first := range c.commands {
		for waiting := c.gather(first); len(waiting) > 0; {
			settled, number := commitGroup(c.db, c.memo, c.room.judge(), c.lost, waiting)
			c.note(number, waiting[:settled])
			c.mark.write(number)
			for _, cmd := range waiting[:settled] {
				if cmd.err == nil {
					c.watchers.wake(cmd.kinds)
				}
				close(cmd.done)
			}
			waiting = waiting[settled:]
		}
	}
}

// note remembers whether the group could be written. A group of which no command wanted to write anything says nothing.
func (c *committer) note(number uint64, settled []*command) {
	if number > 0 {
		c.failed.Store(nil)
		return
	}
	for _, cmd := range settled {
		if errors.Is(cmd.err, errNotWritten) {
			c.failed.Store(&cmd.err)
			return
		}
	}
}

// gather adds to first whatever waits behind it, without waiting for more: while one transaction is being synced,
// the next group forms by itself.
func (c *committer) gather(first *command) []*command {
	group := []*command{first}
	for len(group) < groupLimit {
		select {
		case next, open := <-c.commands:
			if !open {
				return group
			}
			group = append(group, next)
		default:
			return group
		}
	}
	return group
}
