package badger

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// errRefused is the error of refused commands in these tests.
var errRefused = errors.New("refused")

// openTest opens a store in memory.
func openTest(t testing.TB, dir string, opt OpenOptions) *BadgerStore {
	t.Helper()
	s, err := OpenStore(dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}

// readCounter returns the number under the key "count".
func readCounter(v snapshotView) (int, error) {
	value, found, err := v.rawValue([]byte("count"))
	if err != nil || !found {
		return 0, err
	}
	return strconv.Atoi(string(value))
}

// incrementCounter adds one to the number under the key "count".
func incrementCounter(v snapshotView, c *changeSet) error {
	n, err := readCounter(v)
	c.putRaw([]byte("count"), []byte(strconv.Itoa(n+1)))
	return err
}

// waitingCommands returns queued commands with these decide functions.
func waitingCommands(decisions ...func(snapshotView, *changeSet) error) []*writeCommand {
	var list []*writeCommand
	for _, decide := range decisions {
		list = append(list, &writeCommand{decide: decide, done: make(chan struct{})})
	}
	return list
}

func TestRefusedCommandLeavesItsNeighboursAlone(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir(), OpenOptions{})
	refuse := func(v snapshotView, c *changeSet) error {
		if err := incrementCounter(v, c); err != nil {
			return err
		}
		return errRefused
	}
	refuseWritten := func(_ snapshotView, c *changeSet) error { c.putIndex([]byte("x")); return errRefused }
	group := waitingCommands(incrementCounter, refuse, incrementCounter, refuseWritten, incrementCounter)
	if settled, _ := commitGroup(s.db, nil, reserveVerdict{}, nil, group); settled != len(group) {
		t.Fatalf("%d of %d commands settled", settled, len(group))
	}
	for i, cmd := range group {
		if refused := i%2 == 1; (cmd.err != nil) != refused {
			t.Errorf("command %d: %v", i, cmd.err)
		}
	}
	wantCount(t, s, 3)
	if err := s.readSnapshot(t.Context(), func(v snapshotView) error {
		if found, err := v.hasKey([]byte("x")); found || err != nil {
			t.Errorf("a refused change was written: %v, %v", found, err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// TestConcurrentWriters: every writer gets an answer, and each success is counted exactly once.
func TestConcurrentWriters(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir(), OpenOptions{})
	const writers, writes = 48, 25
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range writes {
				refused := (w+i)%5 == 0
				err := s.submitCommand(t.Context(), func(v snapshotView, c *changeSet) error {
					if err := incrementCounter(v, c); err != nil || !refused {
						return err
					}
					return errRefused
				})
				if errors.Is(err, errRefused) != refused || err != nil && !refused {
					t.Errorf("writer %d, write %d: %v", w, i, err)
				}
			}
		})
	}
	wg.Wait()
	wantCount(t, s, writers*writes*4/5)
}

// TestPanicRefusesItsCommandAlone: a panic fails only its own command, with a stack trace.
func TestPanicRefusesItsCommandAlone(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir(), OpenOptions{})
	broken := func(v snapshotView, c *changeSet) error {
		v.visitKeys(nil, func(string) bool { panic("no such thing") })
		return incrementCounter(v, c)
	}
	group := waitingCommands(incrementCounter, broken, incrementCounter)
	for rest := group; len(rest) > 0; {
		settled, _ := commitGroup(s.db, nil, reserveVerdict{}, nil, rest)
		rest = rest[settled:]
	}
	if group[0].err != nil || group[2].err != nil {
		t.Errorf("its neighbours: %v, %v", group[0].err, group[2].err)
	}
	if err := group[1].err; store.CodeOf(err) != store.CodeInternal || !strings.Contains(err.Error(), "group_test.go") {
		t.Errorf("the command: %v", err)
	}
	wantCount(t, s, 2)
}

// TestFullTransactionIsSplit: commands that together exceed a transaction are divided over several, each command whole
// and in order; a command that exceeds one by itself is refused.
func TestFullTransactionIsSplit(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir(), OpenOptions{})
	half := int(s.db.MaxBatchCount())/2 - 10
	many := func(name string, n int) func(snapshotView, *changeSet) error {
		return func(v snapshotView, c *changeSet) error {
			for i := range n {
				c.putIndex(fmt.Appendf(nil, "many/%s/%d", name, i))
			}
			return incrementCounter(v, c)
		}
	}
	group := waitingCommands(many("a", half), incrementCounter, many("b", half), many("c", half), many("d", 3*half), incrementCounter)
	var sizes []int
	for rest := group; len(rest) > 0; {
		settled, _ := commitGroup(s.db, nil, reserveVerdict{}, nil, rest)
		if settled < 1 {
			t.Fatal("a group settled no command")
		}
		sizes, rest = append(sizes, settled), rest[settled:]
	}
	for i, cmd := range group {
		if tooLarge := i == 4; (store.CodeOf(cmd.err) == store.CodeTooLarge) != tooLarge || cmd.err != nil && !tooLarge {
			t.Errorf("command %d: %v", i, cmd.err)
		}
	}
	if len(sizes) < 3 {
		t.Errorf("one transaction each for %v commands: nothing was split", sizes)
	}
	wantCount(t, s, 5)
	wantKeys(t, s, "many/", 3*half)
}

// TestFailedCommitFailsAllCommands: a failed commit is the error of every command of the transaction.
func TestFailedCommitFailsAllCommands(t *testing.T) {
	t.Parallel()
	db, err := badgerdb.Open(badgerOptions(t.TempDir(), OpenOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	only := func(_ snapshotView, c *changeSet) error { c.putIndex([]byte("x")); return nil }
	closing := func(_ snapshotView, c *changeSet) error { c.putIndex([]byte("y")); return db.Close() }
	group := waitingCommands(only, only, closing)
	commitGroup(db, nil, reserveVerdict{}, nil, group)
	for i, cmd := range group {
		if cmd.err == nil {
			t.Errorf("command %d got no error", i)
		}
	}
}

// wantCount fails unless the count is n.
func wantCount(t *testing.T, s *BadgerStore, n int) {
	t.Helper()
	err := s.readSnapshot(t.Context(), func(v snapshotView) error {
		got, err := readCounter(v)
		if err == nil && got != n {
			return fmt.Errorf("the count is %d, want %d", got, n)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// wantKeys fails unless n keys begin with that prefix.
func wantKeys(t *testing.T, s *BadgerStore, begin string, n int) {
	t.Helper()
	got := 0
	err := s.readSnapshot(t.Context(), func(v snapshotView) error {
		v.visitKeys([]byte(begin), func(string) bool { got++; return true })
		return nil
	})
	if err != nil || got != n {
		t.Errorf("%d keys begin with %s, %v; want %d", got, begin, err, n)
	}
}

// BenchmarkWrite measures group commit: synced changes per second with 1 writer and with 64.
func BenchmarkWrite(b *testing.B) {
	for _, writers := range []int{1, 64} {
		b.Run(fmt.Sprint(writers), func(b *testing.B) {
			s := openTest(b, b.TempDir(), OpenOptions{})
			b.ResetTimer()
			var wg sync.WaitGroup
			for w := range writers {
				wg.Go(func() {
					for i := w; i < b.N; i += writers {
						err := s.submitCommand(b.Context(), func(_ snapshotView, c *changeSet) error {
							c.putRaw(fmt.Appendf(nil, "bench/%d", i), []byte(`{"status":"queued","progress":0}`))
							return nil
						})
						if err != nil {
							b.Error(err)
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "writes/s")
		})
	}
}
