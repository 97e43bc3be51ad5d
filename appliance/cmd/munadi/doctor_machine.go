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
	f.message = fmt.Sprintf("%.1f of %.1f GiB are free", float64(s.Free)/(1<<30), float64(s.Size)/(1<<30))
	if f.err = s.CheckRoom(minDiskSpace); f.err == nil && s.CheckRoom(lowDiskSpace) != nil {
		f.warning = true
		f.err = fmt.Errorf("only %d MiB are free; with less than %d nothing new is stored", s.Free>>20, minDiskSpace>>20)
	}
	return f
}

// checkClock checks that the time is plausible: calls are dialled, and sessions and certificates expire, by it.
func checkClock(_ context.Context, cfg *config.Config) checkFinding {
	f, now := checkFinding{name: "clock"}, time.Now()
	f.message = now.Format(time.RFC3339) + " (" + now.Location().String() + ")"
	for _, path := range []string{"/proc/self/exe", filepath.Join(cfg.DatabaseFolder(), "munadi.mark")} {
		info, err := os.Stat(path)
		if err == nil && info.ModTime().After(now.Add(clockSlack)) {
			f.err = fmt.Errorf("it says %s, but %s was written on %s: the clock is wrong now, or was wrong then",
				now.Format(time.DateTime), path, info.ModTime().Format(time.DateTime))
			return f
		}
	}
	var kernel unix.Timex
	state, err := unix.Adjtimex(&kernel)
	if err == nil && (state == unix.TIME_ERROR || kernel.Status&unix.STA_UNSYNC != 0) {
		f.err, f.warning = errors.New("it is not synchronized; turn NTP on (timedatectl set-ntp true)"), true
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
			Plan: func() backupschedule.BackupPlan { return backupschedule.PlanOf(cfg) },
			Now:  time.Now,
		},
	)
	found = []admin.CheckFinding{backupschedule.CheckBackups(plan.CurrentState())}
	if cfg.Carrier == config.SIP {
		found = append(found, trunk.CheckOffline(ctx, cfg, versionString())...)
	}
	network := webhook.OutboundNetwork{PublicOnly: cfg.WebhookTo == "public"}
	if database.IsShared(cfg) {
		return append(found, doctor.CheckOffline(ctx, cfg, network.ProbeReceiver)...)
	}
	owner, err := ownerOf(cfg.DatabaseFolder())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := installation.CheckDatabase(cfg.Data, cfg.DatabaseFolder()); err != nil {
			return append(found, admin.CheckFinding{Name: "database", State: admin.StateFailed, Text: err.Error()})
		}
		return append(found, admin.CheckFinding{
			Name: "database", State: admin.StateOK, Text: "not created yet; the first start creates it",
		})
	case err != nil:
		return append(found, admin.CheckFinding{Name: "database", State: admin.StateFailed, Text: err.Error()})
	case owner != os.Geteuid(): // opening writes, and would leave files of another owner
		return append(found, admin.CheckFinding{
			Name: "database", State: admin.StateWarning, Text: "not checked: it is another user's; run doctor as that user",
		})
	}
	return append(found, doctor.CheckOffline(ctx, cfg, network.ProbeReceiver)...)
}
