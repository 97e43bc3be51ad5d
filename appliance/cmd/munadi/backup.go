package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/alecthomas/kong"

	"munadi/appliance/admin"
	"munadi/appliance/backup"
	"munadi/appliance/config"
	"munadi/store/bucket"
)

// passphraseVariable is the environment variable with the backup passphrase, an alternative to a file.
const passphraseVariable = "MUNADI_BACKUP_PASSPHRASE"

// keyFlags are the flags for encrypting and decrypting a backup.
type keyFlags struct {
	PassphraseFile string `placeholder:"FILE" help:"File whose first line is the passphrase; default: the variable MUNADI_BACKUP_PASSPHRASE."`
	Identity       string `placeholder:"FILE" help:"File with the age private key that decrypts the backup."`
}

// backupLock returns the passphrase and keys of the flags and the environment.
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

// BackupCmd is munadi backup FILE. Without encryption flags the file is encrypted as the nightly backups are. If those
// are not encrypted, the file is not either, with a warning: it is then protected like the database.
type BackupCmd struct {
	File      string   `arg:"" help:"The file to write."`
	Recipient []string `placeholder:"KEY" help:"Encrypt for this age public key (age1…), or for those of a file; default: the setting backup-recipient."`
	Plain     bool     `help:"Do not encrypt, even if the settings do: anyone with the file can read recordings, numbers and keys."`
	Overwrite bool     `help:"Replace an existing file."`
	keyFlags  `embed:""`
}

// Run writes a backup, whether or not the appliance runs, and prints what the file contains. When records are damaged,
// it writes all others and fails, naming those that are missing.
func (b *BackupCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	cfg = backupSettings(ctx, cfg, app.Stderr)
	lock, err := b.encryptionLock(cfg)
	if err != nil {
		return err
	}
	if lock.Plain && !b.Plain && admin.NeedsPassphrase(ctx, cfg.Data) {
		return errors.New("the running appliance encrypts its nightly backups with a passphrase that this command does " +
			"not have (the service's is in /etc/munadi/environment): give one with --passphrase-file FILE or the variable " +
			passphraseVariable + ", encrypt for an age key with --recipient, or write an unencrypted file with --plain")
	}
	if lock.Plain {
		fmt.Fprintln(app.Stderr, "WARNING: this backup is NOT ENCRYPTED. It holds recordings, phone numbers, transcripts "+
			"and secrets, readable by anyone with the file. --passphrase-file or --recipient encrypts it.")
	}
	from := backup.BackupSource{Data: cfg.Data, Secret: cfg.SecretPath(), Version: versionString(), Now: time.Now()}
	if err := includeBucket(cfg, &from); err != nil {
		return err
	}
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error {
		from.Database = a.WriteBackup
		return b.writeFile(ctx, from, lock, app)
	})
}

// backupSettings returns cfg with the settings of the appliance that runs on its data folder as to backups: where
// recordings and the secret are, and which recipient nightly backups have. Its flags and environment may be others than
// this command's.
func backupSettings(ctx context.Context, cfg *config.Config, warnings io.Writer) *config.Config {
	inForce, running, err := admin.AskSettings(ctx, cfg)
	if err != nil {
		fmt.Fprintf(warnings, "WARNING: the settings of the running appliance are unknown, is it another version? "+
			"Recordings are backed up where the settings of this command say: %v\n", err)
	}
	if err != nil || !running {
		return cfg
	}
	merged := *cfg
	merged.Recordings, merged.SecretFile, merged.DatabaseKey = inForce.Recordings, inForce.SecretFile, inForce.DatabaseKey
	merged.BackupRecipient = cmp.Or(cfg.BackupRecipient, inForce.BackupRecipient)
	merged.BackupBucket = cfg.BackupBucket || inForce.BackupBucket
	return &merged
}

// writeFile writes the backup and prints what it contains.
func (b *BackupCmd) writeFile(
	ctx context.Context, from backup.BackupSource, lock backup.BackupLock, app *kong.Kong,
) error {
	m, opened, err := backup.WriteBackup(ctx, b.File, from, lock, b.Overwrite)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w; --overwrite replaces it", err)
	}
	file, how := b.File, "The file was read back and verified."
	var incomplete *backup.IncompleteError
	switch {
	case errors.As(err, &incomplete):
		file, how = incomplete.File, "The file was read back unchanged, and lacks what is damaged."
	case err != nil:
		return err
	case !opened:
		how = "The file was read back unchanged. To verify its content, run where the private key is: " +
			"munadi restore --verify --identity KEY"
	}
	_, failed := fmt.Fprintf(app.Stderr, "%s contains %s. %s\nSpeech models and the cache are not included.%s\n",
		file, describeBackup(m), how, describeLeftOut(m))
	return errors.Join(err, failed)
}

// includeBucket adds the recordings of the configured bucket if backup-bucket is set. Otherwise the bucket is not
// accessed, and its keys are not needed.
func includeBucket(cfg *config.Config, from *backup.BackupSource) error {
	if !cfg.KeepsElsewhere() {
		return nil
	}
	if !cfg.BackupBucket {
		from.LeftOut = bucket.DescribeSetting(cfg.Recordings, os.LookupEnv)
		return nil
	}
	objects, err := bucket.OpenBucket(cfg.Recordings, os.LookupEnv)
	if err == nil {
		from.IncludeBucket(objects, true)
	}
	return err
}

// describeLeftOut names the bucket that a backup does not include; empty if it includes all recordings.
func describeLeftOut(m backup.BackupManifest) string {
	if m.LeftOut == "" {
		return ""
	}
	return "\nRecordings in the bucket " + m.LeftOut + " are not included; --backup-bucket includes them."
}

// encryptionLock returns how the backup is encrypted: by the flags, else by the settings of nightly backups. Without
// either it is not encrypted, unless the database is.
func (b *BackupCmd) encryptionLock(cfg *config.Config) (backup.BackupLock, error) {
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
		lock.Passphrase = "" // the environment variable may be set for another command
	}
	closed := lock.Passphrase != "" || len(lock.Recipients) > 0
	lock.Plain = b.Plain || !closed && b.Identity == "" && cfg.DatabaseKey == ""
	return lock, lock.CheckCanClose()
}

// describeBackup summarizes a backup's content.
func describeBackup(m backup.BackupManifest) string {
	return fmt.Sprintf("%s, %s, %s and %s, %.1f MiB in all, of %s",
		formatCount(m.Database["org"], "organization"), formatCount(m.Database["call"], "call"),
		formatCount(m.Database["delivery"], "webhook"), formatCount(m.Files, "file"), float64(m.Bytes)/(1<<20),
		m.MadeAt.Local().Format("2006-01-02 15:04:05"))
}

// formatCount returns "1 call" or "3 calls".
func formatCount[N int | uint64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
