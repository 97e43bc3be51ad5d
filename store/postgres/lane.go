package postgres

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"

	"munadi/store/driver"
)

// maxKeptLanes is the number of records of lanes that are kept in memory.
const maxKeptLanes = 10_000

// laneTable gives each running transaction of this process a lane of its own, and keeps the records that they wrote, so
// that the next transaction on a lane need not read its record: it replaces it on condition that it is still the same.
type laneTable struct {
	mu     sync.Mutex
	used   map[int]bool
	offset int               // of this process, so that processes use different lanes
	kept   map[string][]byte // by table and key
}

// takenLane is what a transaction knows of its lane.
type takenLane struct {
	number, lane int
	written      map[string][]byte // records by table and key
	locked       map[string]bool   // those that it has read and locked
	lost         bool              // another appliance has written one
}

// take returns the lowest number that no running transaction has.
func (l *laneTable) take() *takenLane {
	l.mu.Lock()
	defer l.mu.Unlock()
	taken := &takenLane{written: map[string][]byte{}, locked: map[string]bool{}}
	for l.used[taken.number] {
		taken.number++
	}
	if l.used == nil {
		l.used, l.kept = map[int]bool{}, map[string][]byte{}
	}
	l.used[taken.number] = true
	taken.lane = taken.number + l.offset
	return taken
}

// release releases a transaction's number. The records that it wrote are kept if it was committed, else forgotten.
func (l *laneTable) release(taken *takenLane, committed bool) {
	if taken == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.used, taken.number)
	if len(l.kept) > maxKeptLanes {
		clear(l.kept)
	}
	for key, raw := range taken.written {
		if delete(l.kept, key); committed {
			l.kept[key] = raw
		}
	}
	if taken.lost {
		l.offset = rand.IntN(maxKeptLanes)
	}
}

// find returns the kept record of a key; nil for none.
func (l *laneTable) find(key string) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept[key]
}

// TakeLane implements [driver.Tx].
func (e *dbTx) TakeLane(
	t *driver.Table, owner string, lanes []string,
) (lane string, raw []byte, found bool, err error) {
	if e.lane == nil {
		e.lane = e.store.lanes.take()
	}
	lane = lanes[e.lane.lane%len(lanes)]
	key := laneKey(t, owner, lane)
	if raw, found = e.lane.written[key]; found {
		return lane, raw, true, nil
	}
	if raw = e.store.lanes.find(key); raw != nil {
		return lane, raw, true, nil
	}
	e.lane.locked[key] = true
	raw, found, err = e.Get(t, []string{owner, lane}, driver.RowLock)
	return lane, raw, found, err
}

// PutLane implements [driver.Tx].
func (e *dbTx) PutLane(t *driver.Table, row driver.Row, before []byte) error {
	table, key, taken := tableOf(t), laneKey(t, row.Key[0], row.Key[1]), e.lane
	taken.written[key] = row.Raw
	if before == nil || taken.locked[key] {
		return e.Put(t, nil, row)
	}
	args, err := table.keyArgs(row.Key)
	if err != nil {
		return err
	}
	n := len(args)
	sql := fmt.Sprintf("UPDATE %s SET record = $%d %s AND record = $%d", t.Name, n+1, table.whereKey, n+2)
	e.queueChecked(sql, append(args, row.Raw, before), func(done pgconn.CommandTag) error {
		if done.RowsAffected() == 0 {
			taken.lost = true
			return errAgain
		}
		return nil
	})
	return nil
}

func laneKey(t *driver.Table, owner, lane string) string {
	return strings.Join([]string{t.Name, owner, lane}, "/")
}
