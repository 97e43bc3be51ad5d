// Package doctor holds the checks of munadi doctor that need the database or a running appliance. Each check returns a
// finding: the checked object, its state, and the remedy.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"munadi/appliance/admin"
	"munadi/appliance/auth"
	"munadi/appliance/config"
	"munadi/appliance/database"
	"munadi/appliance/mailer"
	"munadi/store"
	"munadi/store/badger"
)

// maxReceivers is the number of webhook receivers and destinations that are checked.
const maxReceivers = 20

// ReceiverProbe checks that a webhook receiver is reachable, without sending it data.
type ReceiverProbe func(ctx context.Context, url string) error

// CheckOffline checks the database and the webhook receivers while no appliance runs.
func CheckOffline(ctx context.Context, cfg *config.Config, probe ReceiverProbe) []admin.CheckFinding {
	later := func(badger.FormatUpgrade) error { return errors.New("the next start makes a backup and upgrades it") }
	s, err := database.OpenDatabase(ctx, cfg, database.OpenOptions{BeforeUpgrade: later})
	if err != nil {
		state := admin.StateFailed
		if store.CodeOf(err) == store.CodeInternal {
			state = admin.StateWarning
		}
		return []admin.CheckFinding{{Name: "database", State: state, Text: err.Error()}}
	}
	defer func() { _ = s.Close() }()
	found := append(CheckDatabase(ctx, s), checkInstallation(ctx, cfg, s), checkStoredRecordings(ctx, cfg, s))
	if secret, err := auth.LoadSecret(cfg.SecretPath(), false); err == nil { // else the installation's check has failed
		s.UseAuditKey(secret.AuditKey())
		found = append(found, CheckAudit(ctx, s))
		if cfg.SMTPHost == "" {
			found = append(found, CheckMail(ctx, &mailer.ServerFinder{
				Store: s, Settings: func() *config.Config { return cfg }, Key: secret.DeriveKey(mailer.KeyPurpose),
			}))
		}
	}
	if cfg.KeepsElsewhere() {
		found = append(found, checkBucketOf(ctx, cfg))
	}
	return append(found, CheckWebhooks(ctx, s, probe)...)
}

// CheckDatabase reports lost transactions of the embedded database and verifies all its files, or checks that a shared
// database answers.
func CheckDatabase(ctx context.Context, s *database.Database) []admin.CheckFinding {
	if s.Embedded != nil {
		return []admin.CheckFinding{checkLosses(s.Embedded), checkTables(ctx, s.Embedded)}
	}
	if err := s.CheckWritable(ctx); err != nil {
		return []admin.CheckFinding{{Name: "database", State: admin.StateFailed, Text: err.Error()}}
	}
	return []admin.CheckFinding{{Name: "database", State: admin.StateOK, Text: "PostgreSQL answers"}}
}

// CheckAudit verifies the audit log of every organization, as munadi audit verify does.
func CheckAudit(ctx context.Context, s store.Store) admin.CheckFinding {
	f := admin.CheckFinding{Name: "audit log", State: admin.StateOK}
	all, err := admin.VerifyTrails(ctx, s)
	entries := 0
	for _, one := range all {
		if entries += one.Entries; one.Fault != "" && f.Text == "" {
			f.State, f.Text = admin.StateFailed, fmt.Sprintf("organization %s: %s (munadi audit verify)", one.OrgID, one.Fault)
		}
	}
	switch {
	case err != nil:
		f.State, f.Text = admin.StateFailed, err.Error()
	case f.Text == "":
		f.Text = fmt.Sprintf("%d entries of %d organizations are there and unchanged", entries, len(all))
	}
	return f
}

// checkLosses reports acknowledged transactions that were lost to a damaged disk.
func checkLosses(s *badger.BadgerStore) admin.CheckFinding {
	if n := s.LostTransactions(); n > 0 {
		return admin.CheckFinding{
			Name:  "database",
			State: admin.StateFailed,
			Text: fmt.Sprintf("a damaged disk truncated the database's log: "+
				"the last %d changes before this start are lost; check the disk, and the latest calls and webhooks", n),
		}
	}
	return admin.CheckFinding{Name: "database", State: admin.StateOK, Text: "no acknowledged change was lost"}
}

// checkTables verifies all tables and value logs of the database.
func checkTables(ctx context.Context, s *badger.BadgerStore) admin.CheckFinding {
	f := admin.CheckFinding{Name: "tables", State: admin.StateFailed}
	known, err := s.VerifyFiles(ctx)
	switch {
	case err != nil:
		f.Text = err.Error()
	case !known.IsWhole():
		f.Text = known.String()
	default:
		f.State = admin.StateOK
		f.Text = fmt.Sprintf("all %d tables and all values in value logs (%.1f MiB) are intact",
			known.Tables, float64(known.Bytes)/(1<<20))
	}
	return f
}

// CheckStorage reports whether the database can be written.
func CheckStorage(ctx context.Context, s *database.Database) admin.CheckFinding {
	if err := s.CheckWritable(ctx); err != nil {
		return admin.CheckFinding{Name: "storage", State: admin.StateFailed, Text: err.Error()}
	}
	return admin.CheckFinding{Name: "storage", State: admin.StateOK, Text: "writable"}
}

// CheckWorkers reports the background workers that failed, by name with their errors.
func CheckWorkers(faults map[string]string) admin.CheckFinding {
	if len(faults) == 0 {
		return admin.CheckFinding{Name: "workers", State: admin.StateOK, Text: "all background workers run"}
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(faults)) {
		all = append(all, name+" failed and is restarted: "+faults[name])
	}
	return admin.CheckFinding{Name: "workers", State: admin.StateFailed, Text: strings.Join(all, "; ")}
}

// CheckWebhooks checks that the webhook receivers of organizations, and their destinations of events, are reachable.
func CheckWebhooks(ctx context.Context, s store.Store, probe ReceiverProbe) []admin.CheckFinding {
	all, err := s.ListOrganizations(ctx)
	if err != nil {
		return []admin.CheckFinding{{Name: "webhooks", State: admin.StateFailed, Text: err.Error()}}
	}
	var found []admin.CheckFinding
	check := func(name, what, url string) {
		if len(found) == maxReceivers {
			return
		}
		f := admin.CheckFinding{Name: name, State: admin.StateOK, Text: what + " is reachable"}
		if err := probe(ctx, url); err != nil {
			f.State, f.Text = admin.StateWarning, what+" is not reachable: "+err.Error()
		}
		found = append(found, f)
	}
	for _, o := range all {
		if w, err := s.FindWebhook(ctx, o.ID); err == nil && w.Enabled && w.URL != "" {
			check("webhook", "the webhook of "+o.ID, w.URL)
		}
		board, err := s.FindDestinations(ctx, o.ID)
		if err != nil {
			continue
		}
		for _, d := range board.Destinations {
			if d.Enabled {
				check("destination", "the destination "+d.ID+" of "+o.ID, d.URL)
			}
		}
	}
	if len(found) == 0 {
		return []admin.CheckFinding{{Name: "webhooks", State: admin.StateOK, Text: "no organization has enabled a webhook"}}
	}
	return found
}
