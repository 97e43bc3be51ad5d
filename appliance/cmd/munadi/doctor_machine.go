package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"munadi/appliance/admin"
	"munadi/appliance/backup/backupschedule"
	"munadi/appliance/carrier/trunk"
	"munadi/appliance/config"
	"munadi/appliance/database"
	"munadi/appliance/installation"
	"munadi/appliance/ldap"
	"munadi/appliance/mailer"
	"munadi/appliance/monitor/doctor"
	"munadi/appliance/webhook"
	"munadi/store/disk"
)

const (
	lowDiskSpace = 1 << 30   // bytes: below it, a warning
	minDiskSpace = 128 << 20 // bytes: with less, the appliance refuses new work
	// clockSlack is how far the clock may be behind the time of the last write.
	clockSlack = time.Minute
)

// checkDisk reports the free disk space.
func checkDisk(_ context.Context, cfg *config.Config) checkFinding {
	f := checkFinding{name: "disk"}
	s, err := disk.ReadState(cfg.Data)
	if err != nil {
		f.err = err
		return f
	}
	f.message = fmt.Sprintf("%.1f of %.1f GiB free", float64(s.Free)/(1<<30), float64(s.Size)/(1<<30))
	if f.err = s.CheckRoom(minDiskSpace); f.err == nil && s.CheckRoom(lowDiskSpace) != nil {
		f.warning = true
		f.err = fmt.Errorf("only %d MiB free; below %d MiB no new work is accepted", s.Free>>20, minDiskSpace>>20)
	}
	return f
}

// checkClock checks that the time is plausible: dial times, sessions and certificates depend on it.
func checkClock(_ context.Context, cfg *config.Config) checkFinding {
	f, now := checkFinding{name: "clock"}, time.Now()
	f.message = now.Format(time.RFC3339) + " (" + now.Location().String() + ")"
	for _, path := range []string{"/proc/self/exe", filepath.Join(cfg.DatabaseFolder(), "munadi.mark")} {
		info, err := os.Stat(path)
		if err == nil && info.ModTime().After(now.Add(clockSlack)) {
			f.err = fmt.Errorf("the time is %s, but %s was written on %s: the clock is wrong now, or was wrong then",
				now.Format(time.DateTime), path, info.ModTime().Format(time.DateTime))
			return f
		}
	}
	var kernel unix.Timex
	state, err := unix.Adjtimex(&kernel)
	if err == nil && (state == unix.TIME_ERROR || kernel.Status&unix.STA_UNSYNC != 0) {
		f.err, f.warning = errors.New("not synchronized; turn on NTP: timedatectl set-ntp true"), true
	}
	return f
}

// applianceFindings returns the findings of the running appliance, or of the data folder if none runs.
func applianceFindings(ctx context.Context, cfg *config.Config) []admin.CheckFinding {
	found, running, err := admin.CheckUp(ctx, cfg.Data)
	switch {
	case err != nil:
		return []admin.CheckFinding{{Name: "appliance", State: admin.StateFailed, Text: err.Error()}}
	case running:
		return found
	}
	plan := backupschedule.NewScheduler(
		backupschedule.Dependencies{
			Plan: func() backupschedule.BackupPlan { return backupschedule.PlanOf(cfg) }, Now: time.Now,
		},
	)
	found = []admin.CheckFinding{backupschedule.CheckBackups(plan.CurrentState())}
	if cfg.SMTPHost != "" { // else the database has the one of the console
		mail := &mailer.ServerFinder{Settings: func() *config.Config { return cfg }}
		found = append(found, doctor.CheckMail(ctx, mail))
	}
	if directory, err := ldap.OpenDirectory(cfg); errors.Is(err, ldap.ErrNoPassword) {
		found = append(found, admin.CheckFinding{
			Name: "directory", State: admin.StateWarning,
			Text: "not checked while no appliance runs: MUNADI_LDAP_BIND_PASSWORD is not in the environment of this command",
		})
	} else if err != nil {
		found = append(found, admin.CheckFinding{Name: "directory", State: admin.StateFailed, Text: err.Error()})
	} else if directory != nil {
		found = append(found, doctor.CheckDirectory(ctx, directory))
	}
	if cfg.Syslog != "" {
		found = append(found, doctor.CheckSyslogSettings(ctx, cfg))
	}
	if cfg.Carrier == config.SIP {
		found = append(found, trunk.CheckOffline(ctx, cfg, versionString())...)
	}
	return append(found, databaseFindings(ctx, cfg)...)
}

// databaseFindings checks the database while no appliance runs. An embedded one of another user is not opened: opening
// writes, and would leave files of another owner.
func databaseFindings(ctx context.Context, cfg *config.Config) []admin.CheckFinding {
	f := admin.CheckFinding{Name: "database", State: admin.StateFailed}
	if !database.IsShared(cfg) {
		owner, err := ownerOf(cfg.DatabaseFolder())
		missing := errors.Is(err, fs.ErrNotExist)
		if missing {
			err = installation.CheckDatabase(cfg.Data, cfg.DatabaseFolder())
		}
		if missing && err == nil {
			if err = checkDatabaseKey(cfg.DatabaseKey); err != nil {
				err = fmt.Errorf("database-key: %w", err)
			}
		}
		switch {
		case err != nil:
			f.Text = err.Error()
			return []admin.CheckFinding{f}
		case missing:
			f.State, f.Text = admin.StateOK, "not created yet; the first start creates it"
			return []admin.CheckFinding{f}
		case owner != os.Geteuid():
			f.State = admin.StateWarning
			f.Text = "not checked: it belongs to another user; run munadi doctor as that user"
			return []admin.CheckFinding{f}
		}
	}
	network := webhook.OutboundNetwork{PublicOnly: cfg.WebhookTo == "public"}
	return doctor.CheckOffline(ctx, cfg, network.ProbeReceiver)
}
