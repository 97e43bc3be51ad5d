package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/alecthomas/kong"

	"munadi/appliance/admin"
	"munadi/appliance/backup"
	"munadi/appliance/config"
)

// passphraseVariable is where a passphrase may stand instead of in a file.
const passphraseVariable = "MUNADI_BACKUP_PASSPHRASE"

// keyFlags say what closes and opens a backup.
type keyFlags struct {
	PassphraseFile string `placeholder:"FILE" help:"File whose first line is the passphrase ($MUNADI_BACKUP_PASSPHRASE holds one too)."`
	Identity       string `placeholder:"FILE" help:"File of an age private key that opens the backup."`
}

// backupLock is what the flags and the environment give.
func (f keyFlags) backupLock() (lock backup.BackupLock, err error) {
	lock.Passphrase = os.Getenv(passphraseVariable)
	if f.PassphraseFile != "" {
		if lock.Passphrase, err = backup.ReadPassphrase(f.PassphraseFile); err != nil {
			return lock, err
		}
	}
	if f.Identity != "" {
		lock.Identities, err = backup.ReadIdentities(f.Identity)
	}
	return lock, err
}

// BackupCmd is munadi backup FILE. Without a word about encryption the file is closed as the nightly backups are, and
// open where they may be, with a warning: it is then no more open than the database that it is made of.
type BackupCmd struct {
	File      string   `arg:"" help:"The file to write."`
	Recipient []string `placeholder:"KEY" help:"Encrypt for an age public key: age1…, or a file of them. Else for backup-recipient."`
	Plain     bool     `help:"Do not encrypt, whatever the settings: whoever has the file has recordings, numbers and keys."`
	Overwrite bool     `help:"Replace a file of that name."`
	keyFlags  `embed:""`
}

// Run backs up, while the appliance runs or not, and says what the file holds.
func (b *BackupCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	lock, err := b.closingLock(cfg)
	if err != nil {
		return err
	}
	if lock.Plain {
		fmt.Fprintln(app.Stderr, "WARNING: this backup is NOT ENCRYPTED. It holds recordings, phone numbers, transcripts "+
			"and secrets, readable by whoever gets the file. --passphrase-file or --recipient encrypts it.")
	}
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error {
		from := backup.BackupSource{
			Data: cfg.Data, Secret: cfg.SecretPath(), Database: a.WriteBackup, Version: versionString(), Now: time.Now(),
		}
		m, opened, err := backup.Write(ctx, b.File, from, lock, b.Overwrite)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%w; --overwrite replaces it", err)
		}
		if err != nil {
			return err
		}
		how := "It was opened again and every part is right."
		if !opened {
			how = "It was read back byte by byte; open it once where its private key is: munadi restore --verify --identity KEY"
		}
		_, err = fmt.Fprintf(app.Stderr, "%s holds %s. %s\nSpeech models and the cache are not part of it.\n",
			b.File, describeBackup(m), how)
		return err
	})
}

// closingLock is how the backup is closed: by the flags, else as the settings close the nightly ones, else not at all where
// the database is not encrypted either.
func (b *BackupCmd) closingLock(cfg *config.Config) (backup.BackupLock, error) {
	lock, err := b.backupLock()
	if err != nil {
		return lock, err
	}
	recipients := b.Recipient
	if len(recipients) == 0 && !b.Plain && b.PassphraseFile == "" && cfg.BackupRecipient != "" {
		recipients = []string{cfg.BackupRecipient}
	}
	if err := lock.AddRecipients(recipients); err != nil {
		return lock, err
	}
	if b.Plain || len(lock.Recipients) > 0 {
		lock.Passphrase = "" // the environment may hold one for other uses
	}
	closed := lock.Passphrase != "" || len(lock.Recipients) > 0
	lock.Plain = b.Plain || !closed && b.Identity == "" && cfg.DatabaseKey == ""
	return lock, lock.CheckCanClose()
}

// describeBackup says what a backup holds.
func describeBackup(m backup.BackupManifest) string {
	return fmt.Sprintf("%s, %s, %s and %s, %.1f MiB in all, of %s",
		pluralize(m.Database["org"], "organization"), pluralize(m.Database["call"], "call"),
		pluralize(m.Database["delivery"], "notification"), pluralize(m.Files, "file"), float64(m.Bytes)/(1<<20),
		m.MadeAt.Local().Format("2006-01-02 15:04:05"))
}

// pluralize is so many of a thing.
func pluralize[N int | uint64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
