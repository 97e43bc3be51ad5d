package backup

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"filippo.io/age"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/badger"
	"munadi/store/bulk"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/postgres"
	"munadi/store/postgres/postgrestest"
	"munadi/store/storetest/fixture"
)

// passphrase is that of these tests, with a fast key derivation.
var passphrase = BackupLock{Passphrase: "correct horse battery", work: 4}

func fixedClock() time.Time { return time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC) }

// recordingFile is the name in the data folder of the recording of a completed call.
func recordingFile(filled fixture.Installation) string {
	return "recordings/" + fixture.OrgID + "/" + filled.Calls["completed"] + ".wav"
}

// fillDataFolder creates a data folder with a whole installation, a recording, a prompt and a secret, and returns the
// open store.
func fillDataFolder(t *testing.T, data string, opt badger.OpenOptions) (*badger.BadgerStore, fixture.Installation) {
	t.Helper()
	s, err := badger.OpenStore(filepath.Join(data, databaseFolder), opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	filled := fixture.FillStore(t, s)
	fillFiles(t, data, filled)
	return s, filled
}

// fillFiles creates the files of a data folder beside the database.
func fillFiles(t *testing.T, data string, filled fixture.Installation) {
	t.Helper()
	for name, content := range map[string]string{
		"secret.key": strings.Repeat("s", 32), recordingFile(filled): fixture.RecordingContent(),
		"prompts/default/hello.wav": "أهلاً", "live/clinic/0123-abcd.wav": "a microphone", "cache/model": "made again",
	} {
		if err := putFile(data, name, content); err != nil {
			t.Fatal(err)
		}
	}
}

// readStore reads an installation, without the pending bulk changes, which a restoration drops.
func readStore(t *testing.T, filled fixture.Installation, s store.Store) map[string]any {
	t.Helper()
	all := filled.ReadStore(t, s)
	delete(all, "PendingBulk")
	board := all["FindBulk "+fixture.OrgID].(bulk.BulkBoard)
	board.DropPending(fixedClock())
	return all
}

func putFile(data, name, content string) error {
	path := filepath.Join(data, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), 0o600)
}

// backupSource returns the source of a backup of an open store.
func backupSource(data string, s *badger.BadgerStore) BackupSource {
	return BackupSource{Data: data, Database: s.WriteBackup, Version: "test", Now: fixedClock()}
}

// wantRestored compares a data folder with what fillDataFolder created, and what the store then read as.
func wantRestored(
	t *testing.T, data string, filled fixture.Installation, want map[string]any, opt badger.OpenOptions,
) {
	t.Helper()
	s, err := badger.OpenStore(filepath.Join(data, databaseFolder), opt)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if difference := fixture.DiffReadings(want, readStore(t, filled, s)); difference != "" {
		t.Error(difference)
	}
	for name, want := range map[string]string{
		"secret.key": strings.Repeat("s", 32), recordingFile(filled): fixture.RecordingContent(),
		"prompts/default/hello.wav": "أهلاً", "live/clinic/0123-abcd.wav": "a microphone",
	} {
		content, err := os.ReadFile(filepath.Join(data, name))
		if err != nil || string(content) != want {
			t.Errorf("%s has %d bytes, %v", name, len(content), err)
		}
		if info, err := os.Stat(filepath.Join(data, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s can be read by others: %v, %v", name, info.Mode(), err)
		}
	}
	if _, err := os.Stat(filepath.Join(data, "cache")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the cache came along: %v", err)
	}
}

// hiddenEntries returns the hidden entries of a folder.
func hiddenEntries(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestRoundTrip checks backups encrypted by passphrase, by key, and unencrypted, from and to databases with and without
// encryption.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	keyFile := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(keyFile, []byte(strings.Repeat("0f", 32)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	key := badger.OpenOptions{KeyFile: keyFile}
	for name, c := range map[string]struct {
		closing, opening BackupLock
		opened           bool
		before, after    badger.OpenOptions
	}{
		"passphrase":      {passphrase, passphrase, true, badger.OpenOptions{}, badger.OpenOptions{}},
		"plain":           {BackupLock{Plain: true}, BackupLock{}, true, badger.OpenOptions{}, key},
		"public key":      {BackupLock{Recipients: []age.Recipient{identity.Recipient()}}, BackupLock{Identities: []age.Identity{identity}}, false, key, key},
		"key pair":        {BackupLock{Recipients: []age.Recipient{identity.Recipient()}, Identities: []age.Identity{identity}}, BackupLock{Identities: []age.Identity{identity}}, true, key, badger.OpenOptions{}},
		"more than asked": {BackupLock{Plain: true}, passphrase, true, badger.OpenOptions{}, badger.OpenOptions{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from, to, dir := t.TempDir(), filepath.Join(t.TempDir(), "new"), t.TempDir()
			file := filepath.Join(dir, "b.munadi")
			s, filled := fillDataFolder(t, from, c.before)
			want := readStore(t, filled, s)
			m, opened, err := WriteBackup(t.Context(), file, backupSource(from, s), c.closing, false)
			if err != nil || opened != c.opened || m.Files != 3 || m.Parts != 5 || m.Database["call"] < uint64(len(filled.Calls)) {
				t.Fatalf("written %+v, opened %v, %v", m, opened, err)
			}
			if seen, err := VerifyBackup(file, dir, c.after.KeyFile, c.opening); err != nil || seen.Digest != m.Digest || seen.Version != "test" {
				t.Fatalf("verified %+v, %v", seen, err)
			}
			target := RestoreTarget{Data: to, KeyFile: c.after.KeyFile, Now: fixedClock()}
			if _, aside, err := RestoreBackup(file, target, c.opening); err != nil || aside != "" {
				t.Fatalf("restored, aside %q, %v", aside, err)
			}
			wantRestored(t, to, filled, want, c.after)
			if left := append(hiddenEntries(t, dir), hiddenEntries(t, to)...); left != nil {
				t.Errorf("left over: %v", left)
			}
			if content, err := os.ReadFile(file); err != nil || !c.closing.Plain && bytes.Contains(content, []byte(magic)) {
				t.Errorf("the file is readable: %v", err)
			}
		})
	}
}

// TestBackupOfSharedDatabase checks that a backup of a PostgreSQL database is restored as an embedded one.
func TestBackupOfSharedDatabase(t *testing.T) {
	t.Parallel()
	server := postgrestest.OpenServer(t, false)
	s, err := postgres.OpenStore(t.Context(), server.URL(""), postgres.OpenOptions{Appliance: "one"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	filled := fixture.FillStore(t, s)
	want := readStore(t, filled, s)
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "new")
	file := filepath.Join(from, "b.munadi")
	fillFiles(t, from, filled)
	source := BackupSource{Data: from, Database: s.WriteBackup, Version: "test", Now: fixedClock()}
	if _, _, err := WriteBackup(t.Context(), file, source, passphrase, false); err != nil {
		t.Fatal(err)
	}
	if _, _, err := RestoreBackup(file, RestoreTarget{Data: to, Now: fixedClock()}, passphrase); err != nil {
		t.Fatal(err)
	}
	wantRestored(t, to, filled, want, badger.OpenOptions{})
}

// TestRestoreDropsBulkChanges checks that pending bulk changes are dropped in a restored installation; the calls stay
// booked, and a backup that is only verified does not change.
func TestRestoreDropsBulkChanges(t *testing.T) {
	t.Parallel()
	data, file, ctx := t.TempDir(), filepath.Join(t.TempDir(), "b.backup"), t.Context()
	s, filled := fillDataFolder(t, data, badger.OpenOptions{})
	if _, _, err := WriteBackup(ctx, file, backupSource(data, s), passphrase, false); err != nil {
		t.Fatal(err)
	}
	if _, err := VerifyBackup(file, t.TempDir(), "", passphrase); err != nil {
		t.Fatal(err)
	}
	to := RestoreTarget{Data: filepath.Join(t.TempDir(), "new"), Now: fixedClock()}
	if _, _, err := RestoreBackup(file, to, passphrase); err != nil {
		t.Fatal(err)
	}
	restored, err := badger.OpenStore(filepath.Join(to.Data, databaseFolder), badger.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = restored.Close() }()
	board, err := restored.FindBulk(ctx, fixture.OrgID)
	if c := board.FindChange("running"); err != nil || board.IsPending() || c.State != bulk.Dropped {
		t.Errorf("restored: %+v, %v", board, err)
	}
	if before, err := s.FindBulk(ctx, fixture.OrgID); err != nil || !before.IsPending() {
		t.Errorf("where the backup was made: %+v, %v", before, err)
	}
	if c, err := restored.FindCall(ctx, fixture.OrgID, filled.Calls["rescheduled"]); err != nil || c.Status != call.Scheduled {
		t.Errorf("a call of the running change is %s, %v", c.Status, err)
	}
}

// TestRestoreWithCallingStopped checks that with this option nothing is dialled in a restored installation until
// calling is resumed.
func TestRestoreWithCallingStopped(t *testing.T) {
	t.Parallel()
	data, file, ctx := t.TempDir(), filepath.Join(t.TempDir(), "b.backup"), t.Context()
	s, _ := fillDataFolder(t, data, badger.OpenOptions{})
	resumeCalls := func(r *callrules.CallRules) error { r.KillSwitch = false; return nil }
	if err := s.ChangeRules(ctx, fixture.OrgID, "key:x", fixedClock(), resumeCalls); err != nil {
		t.Fatal(err)
	}
	if _, _, err := WriteBackup(ctx, file, backupSource(data, s), passphrase, false); err != nil {
		t.Fatal(err)
	}
	for _, stopped := range []bool{false, true} {
		to := RestoreTarget{Data: filepath.Join(t.TempDir(), "new"), StopCalling: stopped, Now: fixedClock()}
		if _, _, err := RestoreBackup(file, to, passphrase); err != nil {
			t.Fatal(err)
		}
		restored, err := badger.OpenStore(filepath.Join(to.Data, databaseFolder), badger.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = restored.Close() }()
		if rules, err := restored.FindRules(ctx, fixture.OrgID); err != nil || rules.KillSwitch != stopped {
			t.Errorf("asked to stop calling: %v; stopped: %v, %v", stopped, rules.KillSwitch, err)
		}
	}
}

// TestRestoreOverOldState checks that existing state is replaced only on request, and is then kept aside completely.
func TestRestoreOverOldState(t *testing.T) {
	t.Parallel()
	data, file := t.TempDir(), filepath.Join(t.TempDir(), "b")
	s, filled := fillDataFolder(t, data, badger.OpenOptions{})
	want := readStore(t, filled, s)
	if _, _, err := WriteBackup(t.Context(), file, backupSource(data, s), passphrase, false); err != nil {
		t.Fatal(err)
	}
	target := RestoreTarget{Data: data, Now: fixedClock()}
	if _, _, err := RestoreBackup(file, target, passphrase); err == nil || !strings.Contains(err.Error(), "--replace") {
		t.Fatalf("restored over what was there: %v", err)
	}
	target.Replace = true
	if _, _, err := RestoreBackup(file, target, passphrase); store.CodeOf(err) != store.CodeInUse {
		t.Fatalf("restored under an open database: %v", err)
	}
	if err := s.CreateOrganization(t.Context(), account.Organization{ID: "later"}, "test"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Close(), os.RemoveAll(filepath.Join(data, "cache"))); err != nil {
		t.Fatal(err)
	}
	_, aside, err := RestoreBackup(file, target, passphrase)
	if err != nil || aside == "" {
		t.Fatalf("aside %q, %v", aside, err)
	}
	wantRestored(t, data, filled, want, badger.OpenOptions{})
	old, err := badger.OpenStore(filepath.Join(aside, databaseFolder), badger.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = old.Close() }()
	if _, err := old.FindOrganization(t.Context(), "later"); err != nil {
		t.Errorf("the old state is not whole: %v", err)
	}
	if _, _, err := RestoreBackup(file, target, passphrase); err == nil {
		t.Error("the same second's folder aside was used again")
	}
	wantRestored(t, data, filled, want, badger.OpenOptions{})
}

// TestRestoreOfSecretOutsideTheDataFolder checks that a secret outside the data folder is in the backup and is restored
// into the data folder, with the recordings and their installation id; another installation's id in the data folder is
// moved aside.
func TestRestoreOfSecretOutsideTheDataFolder(t *testing.T) {
	t.Parallel()
	from, to, elsewhere := t.TempDir(), t.TempDir(), t.TempDir()
	s, _ := fillDataFolder(t, from, badger.OpenOptions{})
	if err := errors.Join(
		putFile(elsewhere, "shared.key", strings.Repeat("e", 32)), putFile(from, "recordings/.installation", "one\n"),
		putFile(to, "installation.id", "other\n"),
	); err != nil {
		t.Fatal(err)
	}
	src := backupSource(from, s)
	src.Secret = filepath.Join(elsewhere, "shared.key")
	file := filepath.Join(elsewhere, "b")
	if _, _, err := WriteBackup(t.Context(), file, src, passphrase, false); err != nil {
		t.Fatal(err)
	}
	if _, aside, err := RestoreBackup(file, RestoreTarget{Data: to, Replace: true, Now: fixedClock()}, passphrase); err != nil || aside == "" {
		t.Fatalf("aside %q, %v", aside, err)
	}
	for name, want := range map[string]string{"secret.key": strings.Repeat("e", 32), "recordings/.installation": "one\n"} {
		if content, err := os.ReadFile(filepath.Join(to, name)); err != nil || string(content) != want {
			t.Errorf("%s is %q, %v", name, content, err)
		}
	}
	if _, err := os.Stat(filepath.Join(to, "installation.id")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the id of the old installation stayed: %v", err)
	}
}

// TestFailedMoveIsUndone checks that a failed move undoes the earlier ones.
func TestFailedMoveIsUndone(t *testing.T) {
	t.Parallel()
	data, stage := t.TempDir(), t.TempDir()
	for _, name := range []string{"secret.key", "recordings/a", "db/x"} {
		if err := errors.Join(putFile(data, name, "old"), putFile(stage, name, "new")); err != nil {
			t.Fatal(err)
		}
	}
	// An entry that does not exist makes the last of the moves aside fail.
	_, err := swapState(stage, data, []string{"jobs", "recordings", "secret.key", "db"}, fixedClock())
	if !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("swapped: %v", err)
	}
	for _, name := range []string{"secret.key", "recordings/a", "db/x"} {
		if content, err := os.ReadFile(filepath.Join(data, name)); err != nil || string(content) != "old" {
			t.Errorf("%s is %q, %v", name, content, err)
		}
	}
	entries, err := os.ReadDir(data)
	if err != nil || len(entries) != 3 {
		t.Errorf("left in the data folder: %v, %v", entries, err)
	}
}

// TestDamage checks that truncations and flipped bytes are detected wherever they are, and nothing is restored.
func TestDamage(t *testing.T) {
	t.Parallel()
	from, dir := t.TempDir(), t.TempDir()
	file := filepath.Join(dir, "b")
	s, _ := fillDataFolder(t, from, badger.OpenOptions{})
	for name, lock := range map[string]BackupLock{"sealed": passphrase, "open": {Plain: true}} {
		if _, _, err := WriteBackup(t.Context(), file, backupSource(from, s), lock, true); err != nil {
			t.Fatal(err)
		}
		good, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := readBackup(bytes.NewReader(good), lock, verifySink{})
		if err != nil {
			t.Fatal(err)
		}
		places := 60
		if name == "sealed" {
			places = 20 // each derives the key again
		}
		for i := 0; i < len(good); i += 1 + len(good)/places {
			flipped := slices.Clone(good)
			flipped[i] ^= 0x10
			for what, bad := range map[string][]byte{"flipped": flipped, "cut": good[:i]} {
				// Some bits of Zstandard's tables have no effect: then the digests of the parts prove that the content
				// is unchanged.
				got, err := readBackup(bytes.NewReader(bad), lock, verifySink{})
				if err == nil && (name == "sealed" || what == "cut" || !reflect.DeepEqual(got, whole)) {
					t.Errorf("%s, %s at %d of %d: read as if it were whole", name, what, i, len(good))
				}
			}
		}
		if _, err := readBackup(bytes.NewReader(append(slices.Clone(good), 'x')), lock, verifySink{}); err == nil {
			t.Errorf("%s: trailing bytes are accepted", name)
		}
		if err := os.WriteFile(file, good[:len(good)-10], 0o600); err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, "to-"+name)
		if _, _, err := RestoreBackup(file, RestoreTarget{Data: to, Now: fixedClock()}, lock); err == nil {
			t.Errorf("%s: a cut file was restored", name)
		}
		if _, err := os.Stat(to); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: a cut file left a data folder: %v", name, err)
		}
	}
}

// TestFullDiskIsSaidOnce: each layer of a backup would say again that the disk is full.
func TestFullDiskIsSaidOnce(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	s, _ := fillDataFolder(t, data, badger.OpenOptions{})
	large, err := os.Create(filepath.Join(data, "recordings", "large.wav"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(large, rand.Reader, 8<<20); err != nil {
		t.Fatal(err)
	}
	if err := large.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = writeTo(t.Context(), &fullDisk{left: 1 << 20}, backupSource(data, s), BackupLock{Plain: true})
	if err == nil || strings.Count(err.Error(), syscall.ENOSPC.Error()) != 1 {
		t.Errorf("a backup to a full disk: %v", err)
	}
}

// fullDisk is a file on a disk that has a number of bytes left.
type fullDisk struct{ left int }

func (d *fullDisk) Write(b []byte) (int, error) {
	if d.left -= len(b); d.left < 0 {
		return 0, syscall.ENOSPC
	}
	return len(b), nil
}

// TestRefusals checks the refused ways of writing and opening a backup.
func TestRefusals(t *testing.T) {
	t.Parallel()
	data, dir := t.TempDir(), t.TempDir()
	s, _ := fillDataFolder(t, data, badger.OpenOptions{})
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "b")
	for name, lock := range map[string]BackupLock{
		"no lock": {}, "two locks": {Plain: true, Passphrase: passphrase.Passphrase}, "a short passphrase": {Passphrase: "short"},
	} {
		if _, _, err := WriteBackup(t.Context(), file, backupSource(data, s), lock, false); err == nil {
			t.Errorf("written with %s", name)
		}
	}
	broken := backupSource(data, s)
	broken.Database = func(ctx context.Context, w io.Writer) error {
		var whole bytes.Buffer
		err := s.WriteBackup(ctx, &whole)
		_, _ = w.Write(whole.Bytes()[:whole.Len()-1])
		return err
	}
	if _, _, err := WriteBackup(t.Context(), file, broken, passphrase, false); err == nil {
		t.Error("a dump that breaks off was backed up")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("refused writes left %v, %v", entries, err)
	}
	if _, _, err := WriteBackup(t.Context(), file, backupSource(data, s), passphrase, false); err != nil {
		t.Fatal(err)
	}
	if _, _, err := WriteBackup(t.Context(), file, backupSource(data, s), passphrase, false); err == nil {
		t.Error("a file was overwritten")
	}
	for name, lock := range map[string]BackupLock{
		"nothing": {}, "another passphrase": {Passphrase: "another passphrase"}, "a key": {Identities: []age.Identity{identity}},
	} {
		if _, err := VerifyBackup(file, dir, "", lock); err == nil || errors.Is(err, ErrDamaged) {
			t.Errorf("opened with %s: %v", name, err)
		}
		to := filepath.Join(dir, "new")
		if _, _, err := RestoreBackup(file, RestoreTarget{Data: to, Now: time.Now()}, lock); err == nil {
			t.Errorf("restored with %s", name)
		}
		if _, err := os.Stat(to); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("what was refused with %s left a data folder: %v", name, err)
		}
	}
	if err := os.WriteFile(file, []byte("PK\x03\x04 something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := VerifyBackup(file, dir, "", passphrase); !errors.Is(err, ErrDamaged) {
		t.Errorf("another kind of file: %v", err)
	}
}

// TestForeignNames checks that names outside the folder (path traversal), and names of parts that a backup does not
// have, are refused.
func TestForeignNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"recordings/../../x", "/etc/passwd", "recordings/", "recordings", "db/x", "recordings/a\\b", "recordings//a", "../x", "x",
		"cache/a", "recordings/\x00",
	} {
		if _, err := readParts(newPartReader(forgedArchive(t, name)), verifySink{}); !errors.Is(err, ErrDamaged) {
			t.Errorf("the name %q: %v", name, err)
		}
	}
}

// forgedArchive returns an archive with a part of that name.
func forgedArchive(t *testing.T, name string) io.Reader {
	t.Helper()
	var b bytes.Buffer
	p := newPartWriter(&b)
	if err := errors.Join(p.beginPart(name), p.endPart(), p.closeFile()); err != nil {
		t.Fatal(err)
	}
	return &b
}

// FuzzRead checks that reading any content, after decryption and decompression, ends with an error or with the parts
// that the manifest lists.
func FuzzRead(f *testing.F) {
	dir := f.TempDir()
	s, err := badger.OpenStore("", badger.OpenOptions{InMemory: true})
	if err != nil {
		f.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := putFile(dir, "recordings/a/b.wav", "sound"); err != nil {
		f.Fatal(err)
	}
	var whole bytes.Buffer
	p := newPartWriter(&whole)
	if _, err := writeParts(f.Context(), p, backupSource(dir, s)); err != nil {
		f.Fatal(err)
	}
	if err := p.closeFile(); err != nil {
		f.Fatal(err)
	}
	f.Add(whole.Bytes())
	f.Add(whole.Bytes()[:whole.Len()/2])
	f.Add([]byte{})
	f.Add([]byte("\x0asecret.key\x01x\x00"))
	f.Fuzz(func(t *testing.T, content []byte) {
		m, err := readParts(newPartReader(bytes.NewReader(content)), verifySink{})
		if err == nil && (m.Parts == 0 || m.Database == nil) {
			t.Errorf("read %+v of %d bytes", m, len(content))
		}
	})
}
