package installation_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/appliance/installation"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/badger"
	"munadi/store/blob"
)

// installationParts are a data folder with database and recordings, reopened for each start.
type installationParts struct {
	t    *testing.T
	data string
}

func newParts(t *testing.T) installationParts {
	t.Helper()
	return installationParts{t, t.TempDir()}
}

func (p installationParts) pathOf(name ...string) string {
	return filepath.Join(append([]string{p.data}, name...)...)
}

// startParts does what a start does, and returns its result.
func (p installationParts) startParts() (installation.JoinedInstallation, error) {
	p.t.Helper()
	folder, err := blob.OpenFolder(p.pathOf("recordings"))
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = folder.Close() }()
	return p.joinParts(folder)
}

// joinParts opens the database and joins it with these recordings; a command has none.
func (p installationParts) joinParts(folders ...installation.RecordingFolder) (installation.JoinedInstallation, error) {
	p.t.Helper()
	if err := installation.CheckDatabase(p.data, p.pathOf("db")); err != nil {
		return installation.JoinedInstallation{}, err
	}
	s, err := badger.OpenStore(p.pathOf("db"), badger.OpenOptions{})
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	joined, err := installation.JoinInstallation(p.t.Context(), s, installation.InstallationParts{
		Data: p.data, SecretFile: p.pathOf("secret.key"), Recordings: folders,
	}, time.Now())
	if err == nil {
		_, err = s.Bootstrap(p.t.Context(), account.Organization{ID: account.Default}, nil, time.Now())
	}
	return joined, err
}

// mustStart starts successfully and returns the installation's id.
func (p installationParts) mustStart() installation.JoinedInstallation {
	p.t.Helper()
	joined, err := p.startParts()
	if err != nil || joined.ID == "" {
		p.t.Fatalf("the start: %+v, %v", joined, err)
	}
	if err := p.checkParts(); err != nil {
		p.t.Errorf("the check after a start: %v", err)
	}
	return joined
}

// wantRefused expects a start to be refused with all these words, and the recordings to be unchanged.
func (p installationParts) wantRefused(words ...string) {
	p.t.Helper()
	checked := p.checkParts()
	_, err := p.startParts()
	if err == nil || checked == nil {
		p.t.Fatalf("the start was not refused: %v, check: %v", err, checked)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) || !strings.Contains(checked.Error(), w) {
			p.t.Errorf("the refusal does not say %q: %v; check: %v", w, err, checked)
		}
	}
}

// checkParts does what doctor does without an appliance.
func (p installationParts) checkParts() error {
	p.t.Helper()
	if err := installation.CheckDatabase(p.data, p.pathOf("db")); err != nil {
		return err
	}
	s, err := badger.OpenStore(p.pathOf("db"), badger.OpenOptions{})
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	folder, err := blob.OpenFolder(p.pathOf("recordings"))
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = folder.Close() }()
	return installation.CheckParts(p.t.Context(), s, installation.InstallationParts{
		Data: p.data, SecretFile: p.pathOf("secret.key"), Recordings: []installation.RecordingFolder{folder},
	})
}

func (p installationParts) writeFile(content string, name ...string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(p.pathOf(name...)), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(p.pathOf(name...), []byte(content), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

func (p installationParts) removeFile(name ...string) {
	p.t.Helper()
	if err := os.RemoveAll(p.pathOf(name...)); err != nil {
		p.t.Fatal(err)
	}
}

func TestTheSameInstallationStartsAgain(t *testing.T) {
	t.Parallel()
	p := newParts(t)
	first := p.mustStart()
	if second := p.mustStart(); second.ID != first.ID || second.Secret != first.Secret || second.MissingRecordings != nil {
		t.Errorf("the second start found another installation: %+v", second)
	}
	// Ids that are missing after a restore into an empty folder, or in data of a version without ids, are added.
	p.removeFile(installation.MarkerFile)
	p.removeFile("recordings")
	if third := p.mustStart(); third.ID != first.ID || third.MissingRecordings != nil {
		t.Errorf("a start without the ids of the folders: %+v", third)
	}
}

func TestMissingDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	p := newParts(t)
	p.mustStart()
	p.writeFile("sound", "recordings", "default", "call_1.wav")
	p.removeFile("db")
	p.wantRefused("database is missing", "1 recordings", "munadi restore")
	p.writeFile("", "db", "munadi.lock") // an empty volume, on which a start was tried
	p.wantRefused("database is missing")
	p.removeFile(installation.MarkerFile) // as an older version left it
	p.wantRefused("database is missing", "1 recordings")
	if _, err := os.Stat(p.pathOf("recordings", "default", "call_1.wav")); err != nil {
		t.Error(err)
	}
}

// damagedStore cannot read the installation's record.
type damagedStore struct{ installation.InstallationStore }

func (damagedStore) FindInstallation(context.Context) (*store.InstallationRecord, error) {
	return nil, store.Errorf(store.CodeCorrupt, "a record cannot be read")
}

// TestDamagedRecordIsExplained: the refusal names the data folder and the remedy.
func TestDamagedRecordIsExplained(t *testing.T) {
	t.Parallel()
	parts := installation.InstallationParts{Data: t.TempDir()}
	_, joined := installation.JoinInstallation(t.Context(), damagedStore{}, parts, time.Now())
	for _, err := range []error{joined, installation.CheckParts(t.Context(), damagedStore{}, parts)} {
		if !store.IsUnreadable(err) || !strings.Contains(err.Error(), parts.Data) || !strings.Contains(err.Error(), "munadi restore") {
			t.Errorf("refused by %v", err)
		}
	}
}

func TestOtherDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	p, other := newParts(t), newParts(t)
	p.mustStart()
	other.mustStart()
	p.removeFile("db")
	if err := os.CopyFS(p.pathOf("db"), os.DirFS(other.pathOf("db"))); err != nil {
		t.Fatal(err)
	}
	p.wantRefused("does not belong to the data folder", installation.MarkerFile)
	p.removeFile(installation.MarkerFile)
	p.wantRefused("secret.key", "--secret-file")
	p.removeFile("secret.key")
	p.wantRefused("secret.key", "is missing")
	secret, err := os.ReadFile(other.pathOf("secret.key"))
	if err != nil {
		t.Fatal(err)
	}
	p.writeFile(string(secret), "secret.key")
	p.wantRefused("recordings", "belong to installation")
	p.writeFile("", "recordings", ".installation")
	p.mustStart()
}

func TestSecretIsChecked(t *testing.T) {
	t.Parallel()
	p := newParts(t)
	p.writeFile(strings.Repeat("s", 32), "secret.key") // handed out before the first start
	first := p.mustStart()
	p.writeFile(strings.Repeat("t", 32), "secret.key")
	p.wantRefused("is not the one", "secret.key")
	p.removeFile("secret.key")
	p.wantRefused("is missing", "--secret-file")
	if _, err := os.Stat(p.pathOf("secret.key")); !os.IsNotExist(err) {
		t.Errorf("a refused start made a secret: %v", err)
	}
	p.writeFile(strings.Repeat("s", 32), "secret.key")
	if again := p.mustStart(); again.ID != first.ID {
		t.Error("the right secret came back, and the installation is another one")
	}
}

// TestSecretOfAnOlderDatabase checks that a database with organizations but without the record counts as used with a
// secret.
func TestSecretOfAnOlderDatabase(t *testing.T) {
	t.Parallel()
	p := newParts(t)
	s, err := badger.OpenStore(p.pathOf("db"), badger.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Bootstrap(t.Context(), account.Organization{ID: account.Default}, nil, time.Now())
	if err != nil || s.Close() != nil {
		t.Fatal(err)
	}
	p.wantRefused("is missing", "secret.key")
	p.writeFile(strings.Repeat("s", 32), "secret.key")
	p.mustStart()
}

// TestCommandBeforeTheFirstStart checks that recordings folders are accepted after a command has created the database.
func TestCommandBeforeTheFirstStart(t *testing.T) {
	t.Parallel()
	p := newParts(t)
	if _, err := p.joinParts(); err != nil {
		t.Fatal(err)
	}
	if joined := p.mustStart(); len(joined.MissingRecordings) > 0 {
		t.Errorf("new folders count as missing: %v", joined.MissingRecordings)
	}
}

func TestMissingRecordingsAreTold(t *testing.T) {
	t.Parallel()
	p := newParts(t)
	p.mustStart()
	p.removeFile("recordings")
	for range 2 { // until an operator accepts it, each start says so
		if joined := p.mustStart(); len(joined.MissingRecordings) != 1 || joined.MissingRecordings[0] != p.pathOf("recordings") {
			t.Fatalf("a missing folder of recordings: %+v", joined)
		}
	}
	p.writeFile("", "recordings", ".installation")
	for range 2 {
		if joined := p.mustStart(); joined.MissingRecordings != nil {
			t.Fatalf("an accepted folder: %+v", joined)
		}
	}
}
