package main

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/alecthomas/kong"

	"munadi/appliance/admin"
	"munadi/appliance/auth"
	"munadi/appliance/config"
	"munadi/store/account"
	"munadi/store/badger"
	"munadi/store/call"
	"munadi/store/campaign"
)

// backupCommand runs "munadi ARGS" on a data folder and returns its output.
func backupCommand(t *testing.T, data string, args ...string) (string, error) {
	t.Helper()
	var cli struct {
		config.Config
		Backup  BackupCmd  `cmd:"" settings:"data,database-key,backup-recipient"`
		Restore RestoreCmd `cmd:"" settings:"data,database-key"`
	}
	var out, explained bytes.Buffer
	options := append(config.ParserOptions(&cli.Config, func(string) (string, bool) { return "", false }),
		kong.Writers(&out, &explained), kong.BindTo(t.Context(), (*context.Context)(nil)))
	parser, err := kong.New(&cli, options...)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.Parse(append([]string{"--data=" + data}, args...))
	if err == nil {
		err = parsed.Run()
	}
	return explained.String(), err
}

// serveAdmin opens the database of a data folder and answers on its socket, as a running appliance does.
func serveAdmin(t *testing.T, data string, settings func() *config.Config) (stop func()) {
	t.Helper()
	s, err := badger.OpenStore(filepath.Join(data, "db"), badger.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	secret, err := auth.LoadSecret(filepath.Join(data, "secret.key"), true)
	if err != nil {
		t.Fatal(err)
	}
	var socket net.Listener
	if socket, err = admin.ListenSocket(data); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		h := admin.NewHandler(admin.NewLocal(auth.NewKeyVerifier(s, secret, time.Now, nil), s))
		done <- admin.ServeSocket(ctx, socket, admin.WithProcess(h, admin.ProcessControl{
			Config: settings, Settings: func() map[string]string { return settings().ExportSettings() },
		}))
	}()
	return func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestBackupOfDamage checks that a backup of a damaged database, through a running appliance and without one, is written
// and fails with the names of what is missing, as does verifying it; restoring it says so.
func TestBackupOfDamage(t *testing.T) {
	t.Parallel()
	data, dir := filepath.Join(t.TempDir(), "data"), t.TempDir()
	stop := serveAdmin(t, data, config.Default)
	stop()
	damageSkippedRows(t, data)
	wantMissing := func(file, said string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "campaign-skipped: 1") || strings.Contains(said, "verified") || !fileExists(file) {
			t.Errorf("backup said %q, %v", said, err)
		}
	}
	offline, online := filepath.Join(dir, "offline"), filepath.Join(dir, "online")
	said, err := backupCommand(t, data, "backup", offline, "--plain")
	wantMissing(offline, said, err)
	stop = serveAdmin(t, data, config.Default)
	said, err = backupCommand(t, data, "backup", online, "--plain")
	wantMissing(online, said, err)
	stop()
	if said, err := backupCommand(t, data, "restore", "--verify", online); err == nil || !strings.Contains(said, "INCOMPLETE") {
		t.Errorf("verify said %q, %v", said, err)
	}
	to := filepath.Join(dir, "new")
	if said, err := backupCommand(t, to, "restore", online); err != nil || !strings.Contains(said, "INCOMPLETE") ||
		!strings.Contains(said, "campaign-skipped/bakery/") {
		t.Errorf("restore said %q, %v", said, err)
	}
}

// damageSkippedRows adds a campaign with many skipped rows to the closed database of a data folder, and damages them.
func damageSkippedRows(t *testing.T, data string) {
	t.Helper()
	s, err := badger.OpenStore(filepath.Join(data, "db"), badger.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	c := campaign.Campaign{
		ID: campaign.NewID(), OrgID: "bakery", Name: "many rows", ScenarioID: "order", Status: campaign.Running, CreatedAt: now,
		Skipped: make([]campaign.SkippedRow, 2000),
	}
	booked := call.Call{
		ID: call.NewID(), OrgID: "bakery", Status: call.Scheduled, PhoneNumber: "+966500000001", ScenarioID: "order",
		CreatedAt: now, ScheduledAt: now, CampaignID: c.ID, Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: call.NewID()},
	}
	err = s.CreateOrganization(t.Context(), account.Organization{ID: "bakery", CreatedAt: now}, "test")
	if err == nil {
		_, err = s.CreateCampaign(t.Context(), c, []call.Call{booked}, "test", nil)
	}
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	logs, err := filepath.Glob(filepath.Join(data, "db", "*.vlog"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range logs {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if at := bytes.Index(content, []byte(`"phone_number"`)); at > 0 {
			content[at]++
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatal("the rows are not in a value log")
}

// TestBackupCommands checks backup and restore through a running appliance and without one.
func TestBackupCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	data, dir := filepath.Join(t.TempDir(), "data"), t.TempDir()
	phrase := filepath.Join(dir, "phrase")
	if err := os.WriteFile(phrase, []byte("a long enough passphrase\nsecond line\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := keysCommand(t, data, "create"); err != nil {
		t.Fatal(err)
	}
	online, offline := filepath.Join(dir, "online"), filepath.Join(dir, "offline")
	stop := serveAdmin(t, data, config.Default)
	said, err := backupCommand(t, data, "backup", online, "--passphrase-file", phrase)
	if err != nil || !strings.Contains(said, "1 organization,") || !strings.Contains(said, "read back and verified") {
		t.Fatalf("backup said %q, %v", said, err)
	}
	if _, err := backupCommand(t, data, "restore", online, "--replace", "--passphrase-file", phrase); err == nil ||
		!strings.Contains(err.Error(), "stop it first") {
		t.Errorf("restored under a running appliance: %v", err)
	}
	stop()
	said, err = backupCommand(t, data, "backup", offline, "--plain")
	if err != nil || !strings.Contains(said, "NOT ENCRYPTED") {
		t.Fatalf("plain backup said %q, %v", said, err)
	}
	if said, err := backupCommand(t, data, "restore", "--verify", online, "--passphrase-file", phrase); err != nil ||
		!strings.Contains(said, "can be restored: 1 organization,") {
		t.Errorf("verify said %q, %v", said, err)
	}
	if _, err := backupCommand(t, data, "restore", offline); err == nil || !strings.Contains(err.Error(), "--replace") {
		t.Errorf("restored over what was there: %v", err)
	}
	if said, err := backupCommand(t, data, "restore", offline, "--replace"); err != nil || !strings.Contains(said, "before-restore-") {
		t.Errorf("restore said %q, %v", said, err)
	}
	other := filepath.Join(dir, "other")
	t.Setenv(passphraseVariable, "a long enough passphrase")
	if _, err := backupCommand(t, other, "restore", online); err != nil {
		t.Fatal(err)
	}
	if list, _, err := keysCommand(t, other, "list"); err != nil || strings.Count(list, "\n") != 2 {
		t.Errorf("the restored appliance has the keys %q, %v", list, err)
	}
	if _, err := backupCommand(t, data, "backup", online); err == nil || !strings.Contains(err.Error(), "--overwrite") {
		t.Errorf("a backup of that name is there, and it says %v", err)
	}
	fresh := filepath.Join(dir, "fresh")
	if _, err := backupCommand(t, fresh, "restore", filepath.Join(dir, "none")); err == nil || fileExists(fresh) {
		t.Errorf("restored what is not there: %v; the data folder was made: %v", err, fileExists(fresh))
	}
	for _, args := range [][]string{
		{"backup"},
		{"backup", online},
		{"restore", filepath.Join(dir, "none")},
		{"restore", "--verify", phrase},
		{"backup", filepath.Join(dir, "x"), "--recipient", "age1nonsense"},
		{"backup", filepath.Join(dir, "x"), "--passphrase-file", dir},
	} {
		if said, err := backupCommand(t, data, args...); err == nil {
			t.Errorf("%v said %q", args, said)
		}
	}
}

// TestBackupWithoutAWord checks that without encryption flags a backup is encrypted like the nightly ones; without such
// settings it is unencrypted, with a warning, but never for an encrypted database.
func TestBackupWithoutAWord(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Setenv(passphraseVariable, "")
	data, dir := filepath.Join(t.TempDir(), "data"), t.TempDir()
	if _, _, err := keysCommand(t, data, "create"); err != nil {
		t.Fatal(err)
	}
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	recipient := "--backup-recipient=" + identity.Recipient().String()
	for _, c := range []struct {
		name, passphrase string
		args             []string
		start, said      string // of the file, and on the screen
	}{
		{"open", "", nil, "munadi", "NOT ENCRYPTED"},
		{"phrase", "a long enough passphrase", nil, "age-encryption.org", "read back and verified"},
		{"recipient", "", []string{recipient}, "age-encryption.org", "was read back"},
		{"plain", "a long enough passphrase", []string{"--plain", recipient}, "munadi", "NOT ENCRYPTED"},
	} {
		t.Setenv(passphraseVariable, c.passphrase)
		file := filepath.Join(dir, c.name)
		said, err := backupCommand(t, data, append([]string{"backup", file}, c.args...)...)
		if err != nil || !strings.Contains(said, c.said) {
			t.Errorf("%s: said %q, %v", c.name, said, err)
		}
		if content, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(content), c.start) {
			t.Errorf("%s: the file begins with %q, %v", c.name, content[:min(len(content), 30)], err)
		}
	}
	t.Setenv(passphraseVariable, "")
	key := filepath.Join(dir, "key")
	if err := os.WriteFile(key, bytes.Repeat([]byte("k"), 32), 0o600); err != nil {
		t.Fatal(err)
	}
	sealed := filepath.Join(dir, "sealed")
	_, err = backupCommand(t, filepath.Join(dir, "closed"), "--database-key="+key, "backup", sealed)
	if err == nil || !strings.Contains(err.Error(), "--plain") || fileExists(sealed) {
		t.Errorf("an encrypted database was backed up openly: %v", err)
	}
}

// TestBackupOfRunningSettings checks that a backup goes by the settings of the running appliance where the command has
// none: the folder of its recordings is named as left out, or included, and the file is encrypted for its recipient.
func TestBackupOfRunningSettings(t *testing.T) {
	t.Setenv(passphraseVariable, "")
	data, dir := filepath.Join(t.TempDir(), "data"), t.TempDir()
	if _, _, err := keysCommand(t, data, "create"); err != nil {
		t.Fatal(err)
	}
	share := filepath.Join(dir, "share")
	inForce := config.Default()
	inForce.Recordings = share
	stop := serveAdmin(t, data, func() *config.Config { return inForce })
	defer stop()
	writeTestFile(t, filepath.Join(share, "recordings", "default", "call_1.wav"))
	for _, c := range []struct {
		flag, said string
		files      int
	}{{"--plain", "Recordings in the bucket " + share + " are not included", 0}, {"--backup-bucket", "1 file", 1}} {
		file := filepath.Join(dir, "file"+c.flag)
		said, err := backupCommand(t, data, "backup", file, c.flag)
		if err != nil || !strings.Contains(said, c.said) {
			t.Errorf("%s: said %q, %v", c.flag, said, err)
		}
		restored := filepath.Join(dir, "restored"+c.flag)
		if _, err := backupCommand(t, restored, "restore", file); err != nil {
			t.Fatal(err)
		}
		if there := fileExists(filepath.Join(restored, "recordings", "default", "call_1.wav")); there != (c.files == 1) {
			t.Errorf("%s: the recording was restored: %v", c.flag, there)
		}
	}
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	inForce.BackupRecipient = identity.Recipient().String()
	sealed := filepath.Join(dir, "sealed")
	if said, err := backupCommand(t, data, "backup", sealed); err != nil || strings.Contains(said, "NOT ENCRYPTED") {
		t.Errorf("the recipient of the running appliance was ignored: %q, %v", said, err)
	}
}

func writeTestFile(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("sound"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestBackupNeedsThePassphrase checks that a backup is not written unencrypted by oversight while the running appliance
// encrypts its own.
func TestBackupNeedsThePassphrase(t *testing.T) {
	t.Setenv(passphraseVariable, "")
	data := filepath.Join(t.TempDir(), "data")
	if _, _, err := keysCommand(t, data, "create"); err != nil {
		t.Fatal(err)
	}
	encrypts := config.Default()
	encrypts.BackupPassphrase = "a long enough passphrase"
	stop := serveAdmin(t, data, func() *config.Config { return encrypts })
	defer stop()
	file := filepath.Join(t.TempDir(), "file")
	_, err := backupCommand(t, data, "backup", file)
	if err == nil || !strings.Contains(err.Error(), "--passphrase-file") || fileExists(file) {
		t.Errorf("an unencrypted backup was written: %v", err)
	}
	if _, err := backupCommand(t, data, "backup", file, "--plain"); err != nil || !fileExists(file) {
		t.Errorf("--plain: %v", err)
	}
}
