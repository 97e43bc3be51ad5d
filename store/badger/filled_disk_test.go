package badger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"munadi/store"
	"munadi/store/disk"
)

// fillDir, in the environment, makes the test binary the writer on a disk that is filled between check and write.
const fillDir = "MUNADI_STORE_FILL_DIR"

// TestDiskFilledBetweenCheckAndWrite: another process takes the last byte of the disk after each check of the free
// space. The writer, a process of its own, survives (no SIGBUS in a log, a value log, or a table), and everything that it
// acknowledged exists afterwards.
func TestDiskFilledBetweenCheckAndWrite(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=320m"); err != nil {
		t.Skip("cannot mount a file system here:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	writer := exec.CommandContext(t.Context(), os.Args[0])
	writer.Env = append(os.Environ(), fillDir+"="+dir)
	var said, failed bytes.Buffer
	writer.Stdout, writer.Stderr = &said, &failed
	if err := writer.Run(); err != nil {
		t.Fatalf("the writer ended: %v\n%.2000s", err, &failed)
	}
	s := openTest(t, filepath.Join(dir, "db"), OpenOptions{})
	if lost := s.LostTransactions(); lost > 0 || !s.Integrity().IsWhole() {
		t.Errorf("%d transactions are lost, %v", lost, s.Integrity())
	}
	acknowledged := strings.Fields(said.String())
	if len(acknowledged) < filledRounds/2 {
		t.Errorf("only %d of %d changes were acknowledged", len(acknowledged), filledRounds)
	}
	for _, n := range acknowledged {
		for part := range 9 {
			err := s.readSnapshot(t.Context(), func(v snapshotView) error {
				value, found, err := v.rawValue(filledKey(n, part))
				if err == nil && (!found || !bytes.Equal(value, filledValue(n, part))) {
					err = errors.New("it is not what was written")
				}
				return err
			})
			if err != nil {
				t.Fatalf("acknowledged change %s, part %d: %v", n, part, err)
			}
		}
	}
}

// filledRounds is the number of changes: enough for several memory tables, their flushes and a compaction.
const filledRounds = 40

func filledKey(round string, part int) []byte {
	return []byte("filled/" + round + "/" + strconv.Itoa(part))
}

// filledValue is a value of a table, or of a value log, that cannot be compressed to nothing.
func filledValue(round string, part int) []byte {
	size := 50 << 10
	if part == 8 {
		size = 90 << 10
	}
	value := make([]byte, 0, size+16)
	for i := 0; len(value) < size; i++ {
		value = fmt.Appendf(value, "%s.%d.%x ", round, part, i*i*7919)
	}
	return value
}

// writeWhileFilled writes changes, fills the disk during each after the free space was checked, and prints those that
// were acknowledged. The last one leaves the disk full while the database is closed, which writes a table.
func writeWhileFilled(dir string, acknowledged io.Writer) error {
	s, err := OpenStore(filepath.Join(dir, "db"), OpenOptions{Ballast: true})
	if err != nil {
		return err
	}
	for n := range filledRounds {
		round := strconv.Itoa(n)
		err := s.updateTx(context.Background(), func(e writeTx) error {
			for part := range 9 {
				e.putRaw(filledKey(round, part), filledValue(round, part))
			}
			return takeSpace(dir)
		})
		if err == nil {
			fmt.Fprintln(acknowledged, round)
		} else if store.CodeOf(err) != store.CodeNoRoom {
			return err
		}
		if n < filledRounds-1 {
			if err := os.Remove(filepath.Join(dir, "filler")); err != nil {
				return err
			}
		}
	}
	return s.Close()
}

// takeSpace allocates all free space, as another process would. A flush may take some of it between the look and the
// allocation, which is then tried again.
func takeSpace(dir string) error {
	file, err := os.Create(filepath.Join(dir, "filler"))
	if err != nil {
		return err
	}
	for {
		state, err := disk.ReadState(dir)
		if err == nil && state.Free > 0 {
			err = syscall.Fallocate(int(file.Fd()), 0, 0, int64(state.Free))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			return errors.Join(err, file.Close())
		}
	}
}
