package backupschedule

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/appliance/backup"
	"munadi/appliance/config"
	"munadi/store/account"
	"munadi/store/badger"
	"munadi/store/dump"
)

// riyadh is the time zone of these tests.
var riyadh = time.FixedZone("+03", 3*3600)

// startTime is the time at which the tests begin.
func startTime() time.Time { return time.Date(2026, 11, 21, 20, 0, 0, 0, riyadh) }

// scheduleFixture is a backup schedule of a small database, with a clock that tests set.
type scheduleFixture struct {
	*BackupScheduler
	t    *testing.T
	cfg  *config.Config
	now  time.Time
	dump func(context.Context, io.Writer) error
	log  bytes.Buffer
}

func openFixture(t *testing.T) *scheduleFixture {
	t.Helper()
	h := &scheduleFixture{t: t, cfg: config.Default(), now: startTime()}
	h.cfg.Data = t.TempDir()
	s, err := badger.OpenStore(h.cfg.DatabaseFolder(), badger.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.CreateOrganization(t.Context(), account.Organization{ID: "bakery", CreatedAt: h.now}, "test"); err != nil {
		t.Fatal(err)
	}
	h.dump = s.WriteBackup
	h.BackupScheduler = NewScheduler(Dependencies{
		Plan: func() BackupPlan { return PlanOf(h.cfg) },
		Source: func(now time.Time) backup.BackupSource {
			return backup.BackupSource{Data: h.cfg.Data, Version: "test", Now: now, Database: func(ctx context.Context, w io.Writer) error { return h.dump(ctx, w) }}
		},
		Now: func() time.Time { return h.now }, Log: slog.New(slog.NewTextHandler(&h.log, nil)),
	})
	return h
}

// checkBackupsAt sets the test's clock and checks the number of backups.
func (h *scheduleFixture) checkBackupsAt(now time.Time, kept int) {
	h.t.Helper()
	h.now = now
	h.checkDue(h.t.Context(), false)
	if s := h.CurrentState(); s.Kept != kept {
		h.t.Fatalf("at %v: %d backups, want %d; %+v\n%s", now, s.Kept, kept, s, &h.log)
	}
}

// backupNames returns the names of the files in the folder.
func (h *scheduleFixture) backupNames() string {
	entries, err := os.ReadDir(h.cfg.NightlyBackupFolder())
	if err != nil {
		h.t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

// TestDamage: while the database is damaged, backups are made and none is removed.
func TestDamage(t *testing.T) {
	t.Parallel()
	h := openFixture(t)
	h.cfg.BackupKeep = 1
	night := time.Date(2026, 11, 22, 2, 30, 0, 0, riyadh)
	h.checkBackupsAt(night, 1)
	h.Damage = func() string { return "2 blocks are damaged" }
	h.checkBackupsAt(night.AddDate(0, 0, 1), 2)
	if fault := h.CurrentState().Fault; !strings.Contains(fault, "2 blocks are damaged") || !strings.Contains(fault, "kept") {
		t.Errorf("the fault is %q", fault)
	}
}

// TestIncompleteNight: a nightly backup without damaged records is a fault that names them, and none is removed.
func TestIncompleteNight(t *testing.T) {
	t.Parallel()
	h := openFixture(t)
	h.cfg.BackupKeep = 1
	night := time.Date(2026, 11, 22, 2, 30, 0, 0, riyadh)
	h.checkBackupsAt(night, 1)
	h.dump = func(_ context.Context, w io.Writer) error {
		out := dump.NewDumpWriter(w)
		missing := dump.IncompleteError{}
		missing.AddRecord("campaign-skipped/bakery/camp_1")
		return errors.Join(out.WriteRecord([]byte("format"), []byte("5")), out.WriteMissing(&missing), out.WriteEnd())
	}
	h.checkBackupsAt(night.AddDate(0, 0, 1), 2)
	fault := h.CurrentState().Fault
	for _, word := range []string{"INCOMPLETE", "campaign-skipped/bakery/camp_1", "nightly-20261122T233000Z"} {
		if !strings.Contains(fault, word) {
			t.Errorf("the fault lacks %q: %s", word, fault)
		}
	}
	h.checkBackupsAt(night.AddDate(0, 0, 1).Add(2*time.Hour), 2) // it is not repeated before the next night
}

func TestEveryNightOnce(t *testing.T) {
	t.Parallel()
	h := openFixture(t)
	h.cfg.BackupKeep = 2
	h.checkBackupsAt(startTime(), 0)
	if next := h.CurrentState().Next; next == nil || !next.Equal(time.Date(2026, 11, 22, 2, 30, 0, 0, riyadh)) {
		t.Errorf("the first is due %v", next)
	}
	night := time.Date(2026, 11, 22, 2, 30, 0, 0, riyadh)
	h.checkBackupsAt(night.Add(-time.Second), 0)
	h.checkBackupsAt(night, 1)
	h.checkBackupsAt(night.Add(time.Minute), 1)
	h.checkBackupsAt(night.AddDate(0, 0, 1), 2)
	mine := filepath.Join(h.cfg.NightlyBackupFolder(), "nightly-of-mine.backup")
	if err := os.WriteFile(mine, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h.checkBackupsAt(night.AddDate(0, 0, 4).Add(9*time.Hour), 2) // it was off for three nights: one is made up for
	if got, want := h.backupNames(), "nightly-20261122T233000Z.backup nightly-20261126T083000Z.backup nightly-of-mine.backup"; got != want {
		t.Errorf("the folder has %s, want %s", got, want)
	}
	newest := filepath.Join(h.cfg.NightlyBackupFolder(), h.CurrentState().Last.Name)
	m, err := backup.VerifyBackup(newest, t.TempDir(), "", backup.BackupLock{})
	if err != nil || m.Database["org"] != 1 {
		t.Errorf("it holds %v, %v", m.Database, err)
	}
	h.cfg.BackupAt = "none"
	h.checkBackupsAt(night.AddDate(1, 0, 0), 2)
}

// TestUnfinishedBackup checks that what a killed process left of a backup, with the data of people erased since, is
// removed a day later, and one that is being written is not.
func TestUnfinishedBackup(t *testing.T) {
	t.Parallel()
	h, night := openFixture(t), time.Date(2026, 11, 22, 2, 30, 0, 0, riyadh)
	folder := h.cfg.NightlyBackupFolder()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, age := range map[string]time.Duration{".munadi-backup-1": 25 * time.Hour, ".munadi-backup-2": time.Hour} {
		path := filepath.Join(folder, name)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, time.Time{}, night.Add(-age))); err != nil {
			t.Fatal(err)
		}
	}
	h.checkBackupsAt(night, 1)
	if got, want := h.backupNames(), ".munadi-backup-2 nightly-20261121T233000Z.backup"; got != want {
		t.Errorf("the folder has %s, want %s", got, want)
	}
}

// TestClockThatJumps checks that a clock that is ahead for a while costs at most one nightly backup, and never removes
// an existing one.
func TestClockThatJumps(t *testing.T) {
	t.Parallel()
	h := openFixture(t)
	h.cfg.BackupKeep = 2
	h.checkBackupsAt(time.Date(2026, 11, 22, 3, 0, 0, 0, riyadh), 1)
	h.checkBackupsAt(time.Date(2036, 5, 1, 12, 0, 0, 0, riyadh), 2)
	h.checkBackupsAt(time.Date(2026, 11, 22, 4, 0, 0, 0, riyadh), 2)
	h.checkBackupsAt(time.Date(2026, 11, 23, 3, 0, 0, 0, riyadh), 2)
	if got := h.backupNames(); !strings.Contains(got, "nightly-20261123T000000Z") {
		t.Errorf("the newest is not there: %s", got)
	}
	h.cfg.BackupKeep = 1
	h.checkBackupsAt(time.Date(2026, 11, 24, 3, 0, 0, 0, riyadh), 1)
	if got := h.backupNames(); got != "nightly-20261124T000000Z.backup" {
		t.Errorf("kept %s", got)
	}
	ahead := openFixture(t) // its start was by a clock that was ahead
	ahead.since = time.Date(2036, 5, 1, 12, 0, 0, 0, riyadh)
	ahead.checkBackupsAt(startTime(), 0)
	ahead.checkBackupsAt(startTime().Add(12*time.Hour), 1)
}

// TestFailedBackupIsReportedAndRetried checks that a failed nightly backup is reported with its reason and retried
// after a pause.
func TestFailedBackupIsReportedAndRetried(t *testing.T) {
	t.Parallel()
	h := openFixture(t)
	whole, tries := h.dump, 0
	h.dump = func(context.Context, io.Writer) error { tries++; return errors.New("the disk has gone") }
	night := time.Date(2026, 11, 22, 3, 0, 0, 0, riyadh)
	h.checkBackupsAt(night, 0)
	if s := h.CurrentState(); !strings.Contains(s.Fault, "the disk has gone") || !strings.Contains(h.log.String(), "the disk has gone") {
		t.Errorf("state %+v, log %s", s, &h.log)
	}
	h.checkBackupsAt(night.Add(time.Minute), 0)
	if tries != 1 {
		t.Errorf("tried %d times within a minute", tries)
	}
	h.dump = whole
	h.checkDue(t.Context(), true) // a requested backup
	if s := h.CurrentState(); s.Kept != 1 || s.Fault != "" {
		t.Errorf("afterwards %+v", s)
	}
}

// TestBackupIsNotReadableByOthers checks that a backup is never readable by more users than its source.
func TestBackupIsNotReadableByOthers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*config.Config)
		plain  bool
		fault  bool
	}{
		"in the data folder":   {func(*config.Config) {}, true, false},
		"below it":             {func(c *config.Config) { c.BackupFolder = filepath.Join(c.Data, "x", "y") }, true, false},
		"elsewhere":            {func(c *config.Config) { c.BackupFolder = c.Data + "-backups" }, false, true},
		"of a closed database": {func(c *config.Config) { c.DatabaseKey = "key" }, false, true},
		"with a passphrase": {func(c *config.Config) {
			c.DatabaseKey, c.BackupFolder, c.BackupPassphrase = "key", "/elsewhere", "correct horse battery"
		}, false, false},
		"for a key": {func(c *config.Config) {
			c.BackupRecipient = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"
		}, false, false},
		"for a key that is none": {func(c *config.Config) { c.BackupRecipient = "age1nonsense" }, false, true},
	} {
		cfg := config.Default()
		cfg.Data = t.TempDir()
		c.change(cfg)
		p := PlanOf(cfg)
		if p.Lock.Plain != c.plain || (p.Fault != nil) != c.fault {
			t.Errorf("%s: plain %v, fault %v", name, p.Lock.Plain, p.Fault)
		}
	}
	h := openFixture(t)
	h.cfg.BackupFolder = t.TempDir()
	h.checkBackupsAt(startTime(), 0)
	h.checkBackupsAt(startTime(), 0)
	if said := strings.Count(h.log.String(), "no nightly backup can be made"); said != 1 {
		t.Errorf("in the evening the log says %d times that none can be made: %s", said, &h.log)
	}
	h.checkBackupsAt(time.Date(2026, 11, 22, 3, 0, 0, 0, riyadh), 0)
	if s := h.CurrentState(); !strings.Contains(s.Fault, "backup-recipient") {
		t.Errorf("state %+v", s)
	}
}

// TestBeforeUpgrade checks that the state before an upgrade is in a separate file that rotation does not remove, and
// that without it there is no upgrade.
func TestBeforeUpgrade(t *testing.T) {
	t.Parallel()
	h := openFixture(t)
	h.cfg.BackupKeep = 1
	u := badger.FormatUpgrade{From: 1, To: 2, State: "transaction 1", Backup: func(ctx context.Context, w io.Writer) error { return h.dump(ctx, w) }}
	made, err := BeforeUpgrade(t.Context(), h.cfg, "test", u)
	if err != nil || !strings.HasPrefix(made.Name, "before-upgrade-from-1-") {
		t.Fatalf("made %+v, %v", made, err)
	}
	if m, err := backup.VerifyBackup(filepath.Join(h.cfg.NightlyBackupFolder(), made.Name), t.TempDir(), "", backup.BackupLock{}); err != nil || m.Database["org"] != 1 {
		t.Errorf("it holds %v, %v", m.Database, err)
	}
	h.checkBackupsAt(time.Date(2026, 11, 22, 3, 0, 0, 0, riyadh), 1)
	h.checkBackupsAt(time.Date(2026, 11, 23, 3, 0, 0, 0, riyadh), 1)
	if got := h.backupNames(); !strings.Contains(got, made.Name) {
		t.Errorf("the folder has %s", got)
	}
	h.cfg.DatabaseKey = "key"
	if _, err := BeforeUpgrade(t.Context(), h.cfg, "test", u); err == nil || !strings.Contains(err.Error(), "MUNADI_BACKUP_PASSPHRASE") {
		t.Errorf("an open backup of a closed database: %v", err)
	}
	h.cfg.DatabaseKey, h.cfg.BackupFolder, u.State = "", "", "transaction 2"
	h.dump = func(context.Context, io.Writer) error { return errors.New("unreadable") }
	if _, err := BeforeUpgrade(t.Context(), h.cfg, "test", u); err == nil || !strings.Contains(err.Error(), "unreadable") {
		t.Errorf("a backup that failed: %v", err)
	}
}
