package backupschedule

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/appliance/backup"
	"munadi/appliance/config"
	"munadi/store/account"
	"munadi/store/badger"
)

// Environment variables that make the test binary the process that is killed: its data folder and when it waits.
const (
	killData = "MUNADI_UPGRADE_KILL_DATA"
	killWhen = "MUNADI_UPGRADE_KILL_WHEN" // "within" the backup, or "after" it
)

func TestMain(m *testing.M) {
	if data := os.Getenv(killData); data != "" {
		if err := upgradeUntilKilled(data, os.Getenv(killWhen)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// upgradeUntilKilled makes the backup before an upgrade, prints a line and waits to be killed.
func upgradeUntilKilled(data, when string) error {
	cfg := config.Default()
	cfg.Data = data
	s, err := badger.OpenStore(cfg.DatabaseFolder(), badger.OpenOptions{})
	if err != nil {
		return err
	}
	u := badger.FormatUpgrade{From: 4, To: 5, State: "transaction 1", Backup: func(ctx context.Context, w io.Writer) error {
		if when == "within" {
			fmt.Println("waits")
			time.Sleep(time.Hour)
		}
		return s.WriteBackup(ctx, w)
	}}
	if _, err = BeforeUpgrade(context.Background(), cfg, "test", u); err == nil {
		fmt.Println("waits")
		time.Sleep(time.Hour)
	}
	return err
}

// killUpgrade runs the upgrade in a child process and kills it (SIGKILL).
func killUpgrade(t *testing.T, data, when string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), self)
	child.Env = append(os.Environ(), killData+"="+data, killWhen+"="+when)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err = errors.Join(err, child.Start()); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "waits\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
}

// TestKilledUpgradeLeavesOneBackup kills the process in the middle of the backup and after it, several times: one backup
// is left, nothing of a half one, and it is not made again. Another state of the database has its own.
func TestKilledUpgradeLeavesOneBackup(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.Data = t.TempDir()
	s, err := badger.OpenStore(cfg.DatabaseFolder(), badger.OpenOptions{})
	if err == nil {
		err = errors.Join(s.CreateOrganization(t.Context(), account.Organization{ID: "bakery", CreatedAt: startTime()}, "test"), s.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	folder := cfg.NightlyBackupFolder()
	for _, when := range []string{"within", "within"} {
		killUpgrade(t, cfg.Data, when)
		if left := listFolder(t, folder); len(left) != 1 || !strings.HasPrefix(left[0], ".munadi-backup-before-upgrade-from-4-") {
			t.Fatalf("killed %s: %q", when, left)
		}
	}
	foreign := filepath.Join(folder, ".munadi-backup-nightly-20261121T170000Z.backup-1")
	if err := os.WriteFile(foreign, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		killUpgrade(t, cfg.Data, "after")
	}
	left := listFolder(t, folder)
	if len(left) != 2 || left[0] != filepath.Base(foreign) {
		t.Fatalf("killed after the backup: %q", left)
	}
	refuse := func(context.Context, io.Writer) error { return errors.New("made again") }
	u := badger.FormatUpgrade{From: 5, To: 6, State: "transaction 1", Backup: refuse}
	if made, err := BeforeUpgrade(t.Context(), cfg, "test", u); err != nil || made.Name != left[1] {
		t.Errorf("the same state: %+v, %v", made, err)
	}
	if m, err := backup.VerifyBackup(filepath.Join(folder, left[1]), t.TempDir(), "", backup.BackupLock{}); err != nil || m.Database["org"] != 1 {
		t.Errorf("it holds %v, %v", m.Database, err)
	}
	u.State = "transaction 2"
	if made, err := BeforeUpgrade(t.Context(), cfg, "test", u); err == nil || !strings.Contains(err.Error(), "made again") {
		t.Errorf("another state: %+v, %v", made, err)
	}
}

// TestDamagedUpgradeBackupIsMadeAgain: a file that was changed since it was verified is no backup; after the upgrade a
// later one makes its own.
func TestDamagedUpgradeBackupIsMadeAgain(t *testing.T) {
	t.Parallel()
	h := openFixture(t)
	dumps := 0
	u := badger.FormatUpgrade{From: 4, To: 5, State: "transaction 1", Backup: func(ctx context.Context, w io.Writer) error {
		dumps++
		return h.dump(ctx, w)
	}}
	upgrade := func(want int) BackupFile {
		t.Helper()
		made, err := BeforeUpgrade(t.Context(), h.cfg, "test", u)
		if err != nil || dumps != want || h.backupNames() != made.Name {
			t.Fatalf("%d dumps, want %d; %q, %v", dumps, want, h.backupNames(), err)
		}
		return made
	}
	made := upgrade(1)
	upgrade(1)
	if err := os.Truncate(filepath.Join(h.cfg.NightlyBackupFolder(), made.Name), made.Bytes-1); err != nil {
		t.Fatal(err)
	}
	upgrade(2)
	if _, err := backup.VerifyBackup(filepath.Join(h.cfg.NightlyBackupFolder(), made.Name), t.TempDir(), "", backup.BackupLock{}); err != nil {
		t.Error(err)
	}
	if err := errors.Join(EndUpgrade(h.cfg), EndUpgrade(h.cfg), os.Remove(filepath.Join(h.cfg.NightlyBackupFolder(), made.Name))); err != nil {
		t.Fatal(err)
	}
	upgrade(3)
}

// listFolder returns the names of the files in a folder.
func listFolder(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
