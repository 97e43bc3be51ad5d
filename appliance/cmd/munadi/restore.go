package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/alecthomas/kong"

	"munadi/appliance/admin"
	"munadi/appliance/backup"
	"munadi/appliance/config"
)

// RestoreCmd is munadi restore FILE.
type RestoreCmd struct {
	File     string `arg:"" help:"The backup file."`
	Verify   bool   `help:"Only verify the backup: restore it to a temporary folder, check everything and remove the folder."`
	Replace  bool   `help:"Move existing data aside first."`
	keyFlags `embed:""`

	StopCalling bool `help:"Restore with calling stopped in every organization, until it is resumed in the console."`
}

// Run restores the backup, or only verifies it.
func (r *RestoreCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	lock, err := r.backupLock()
	if err != nil {
		return err
	}
	if r.Verify {
		return r.verifyBackup(cfg, lock, app)
	}
	if admin.IsRunning(ctx, cfg.Data) {
		return errors.New("an appliance runs on this data folder: stop it first, or restore into another with --data")
	}
	if err := checkOwner(cfg); err != nil {
		return err
	}
	to := backup.RestoreTarget{
		Data: cfg.Data, KeyFile: cfg.DatabaseKey, Replace: r.Replace, StopCalling: r.StopCalling, Now: time.Now(),
	}
	m, aside, err := backup.RestoreBackup(r.File, to, lock)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(app.Stderr, "Restored into %s: %s.%s\n", cfg.Data, describeBackup(m), describeMissing(m))
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintln(app.Stderr, r.describeCalls()); err != nil {
		return err
	}
	if cfg.SecretFile != "" {
		_, err = fmt.Fprintf(app.Stderr,
			"The installation's secret was restored to %s, but the setting secret-file is %s: move it there.\n",
			filepath.Join(cfg.Data, "secret.key"), cfg.SecretFile)
	}
	if err != nil || aside == "" {
		return err
	}
	_, err = fmt.Fprintf(app.Stderr, "The previous data was moved to %s; remove it when it is no longer needed.\n", aside)
	return err
}

// describeCalls describes what happens to the calls in the backup.
func (r *RestoreCmd) describeCalls() string {
	const dropped = " Actions on all calls of a filter that had not ended are dropped."
	if r.StopCalling {
		return "Calling is stopped in every organization: nothing is dialled until it is resumed in the console." + dropped
	}
	return "Booked calls and campaigns continue at the next start: due calls are dialled, even if they were dialled " +
		"after the backup was made (--stop-calling prevents that)." + dropped
}

// verifyBackup restores the backup to a temporary folder in the data folder, or in the system's temporary folder if
// there is none. It fails for a backup that lacks damaged records.
func (r *RestoreCmd) verifyBackup(cfg *config.Config, lock backup.BackupLock, app *kong.Kong) error {
	beside := os.TempDir()
	if info, err := os.Stat(cfg.Data); err == nil && info.IsDir() {
		beside = cfg.Data
	}
	m, err := backup.VerifyBackup(r.File, beside, cfg.DatabaseKey, lock)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(app.Stderr, "%s can be restored: %s.%s\n", r.File, describeBackup(m), describeMissing(m))
	if err == nil && !m.IsComplete() {
		err = errors.New("the backup is incomplete: keep an older one that is not")
	}
	return err
}

// describeMissing says which records are missing in the backup, and names the bucket whose recordings are; empty
// without either.
func describeMissing(m backup.BackupManifest) (text string) {
	if m.LeftOut != "" {
		text = "\nIts recordings are in the bucket " + m.LeftOut + "; set --recordings to it to play them."
	}
	if !m.IsComplete() {
		text += "\nWARNING: this backup is INCOMPLETE: " + m.DescribeFaults() + "."
	}
	return text
}
