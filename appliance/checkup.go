package appliance

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/backup/backupschedule"
	"munadi/appliance/config"
	"munadi/appliance/installation"
	"munadi/appliance/webhook"
	"munadi/store"
	"munadi/store/badger"
)

// webhooksAsked is of how many organizations the webhook URL is checked by doctor.
const webhooksAsked = 20

// checkUp runs the checks of munadi doctor on the running appliance.
func (a *Appliance) checkUp(ctx context.Context) []admin.CheckFinding {
	found := []admin.CheckFinding{lossesOf(a.store), integrityOf(ctx, a.store), a.storageFinding(), a.backupFinding()}
	found = append(found, CheckBackups(a.vault.CurrentState()))
	if a.calls.trunk != nil {
		found = append(found, a.checkTrunk(ctx))
	}
	return append(found, checkWebhooks(ctx, a.store, a.outboundNetwork())...)
}

// CheckDatabase runs the database check of munadi doctor while no appliance runs.
func CheckDatabase(ctx context.Context, cfg *config.Config) []admin.CheckFinding {
	if err := installation.CheckDatabase(cfg.Data, cfg.DatabaseFolder()); err != nil {
		return []admin.CheckFinding{{Name: "database", State: admin.Ill, Text: err.Error()}}
	}
	later := func(badger.FormatUpgrade) error { return errors.New("the next start makes a backup and upgrades it") }
	s, err := badger.OpenStore(cfg.DatabaseFolder(), badger.OpenOptions{KeyFile: cfg.DatabaseKey, BeforeUpgrade: later})
	if err != nil {
		state := admin.Ill
		if store.CodeOf(err) == store.CodeInternal {
			state = admin.Note
		}
		return []admin.CheckFinding{{Name: "database", State: state, Text: err.Error()}}
	}
	defer func() { _ = s.Close() }()
	network := webhook.OutboundNetwork{PublicOnly: cfg.WebhookTo == "public"}
	return append([]admin.CheckFinding{lossesOf(s), integrityOf(ctx, s)}, checkWebhooks(ctx, s, network)...)
}

// lossesOf reports acknowledged transactions that were lost to a damaged disk.
func lossesOf(s *badger.BadgerStore) admin.CheckFinding {
	if n := s.LostTransactions(); n > 0 {
		return admin.CheckFinding{
			Name:  "database",
			State: admin.Ill,
			Text: fmt.Sprintf("the disk damaged the end of its log: "+
				"the last %d changes before this start are lost; check the disk, and the last calls and notifications", n),
		}
	}
	return admin.CheckFinding{Name: "database", State: admin.Well, Text: "no acknowledged change was lost"}
}

// integrityOf verifies all tables of the database.
func integrityOf(ctx context.Context, s *badger.BadgerStore) admin.CheckFinding {
	f := admin.CheckFinding{Name: "tables", State: admin.Ill}
	known, err := s.VerifyTables(ctx)
	switch {
	case err != nil:
		f.Text = err.Error()
	case !known.IsWhole():
		f.Text = known.String()
	default:
		f.State = admin.Well
		f.Text = fmt.Sprintf("all %d tables (%.1f MiB) are intact", known.Tables, float64(known.Bytes)/(1<<20))
	}
	return f
}

func (a *Appliance) storageFinding() admin.CheckFinding {
	if err := a.store.CheckWritable(); err != nil {
		return admin.CheckFinding{Name: "storage", State: admin.Ill, Text: err.Error()}
	}
	return admin.CheckFinding{Name: "storage", State: admin.Well, Text: "writable"}
}

func (a *Appliance) backupFinding() admin.CheckFinding {
	faults := a.health.WorkerFaults()
	if len(faults) == 0 {
		return admin.CheckFinding{Name: "parts", State: admin.Well, Text: "all run"}
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(faults)) {
		all = append(all, name+" failed and is restarted: "+faults[name])
	}
	return admin.CheckFinding{Name: "parts", State: admin.Ill, Text: strings.Join(all, "; ")}
}

// CheckBackups reports the state of nightly backups.
func CheckBackups(s backupschedule.BackupState) admin.CheckFinding {
	f := admin.CheckFinding{Name: "backups", State: admin.Well}
	switch {
	case s.Fault != "":
		f.State, f.Text = admin.Ill, s.Fault
	case s.Next == nil:
		f.State, f.Text = admin.Note, "no nightly backups are made (backup-at)"
	case s.Last == nil:
		f.Text = "none yet; the first is scheduled for " + s.Next.Format(time.DateTime)
	default:
		f.Text = fmt.Sprintf("%d in %s, the last of %s", s.Kept, s.Folder, s.Last.At.Local().Format(time.DateTime))
	}
	return f
}

// checkWebhooks checks that webhook receivers are reachable, without sending them data.
func checkWebhooks(ctx context.Context, s store.Store, network webhook.OutboundNetwork) []admin.CheckFinding {
	all, err := s.ListOrganizations(ctx)
	if err != nil {
		return []admin.CheckFinding{{Name: "webhooks", State: admin.Ill, Text: err.Error()}}
	}
	var found []admin.CheckFinding
	for _, o := range all {
		w, err := s.FindWebhook(ctx, o.ID)
		if err != nil || !w.Enabled || w.URL == "" {
			continue
		}
		if len(found) == webhooksAsked {
			break
		}
		f := admin.CheckFinding{Name: "webhook", State: admin.Well, Text: "the webhook of " + o.ID + " is reachable"}
		if err := network.ProbeReceiver(ctx, w.URL); err != nil {
			f.State, f.Text = admin.Note, "the webhook of "+o.ID+" is not reachable: "+err.Error()
		}
		found = append(found, f)
	}
	if len(found) == 0 {
		return []admin.CheckFinding{{Name: "webhooks", State: admin.Well, Text: "no organization has enabled one"}}
	}
	return found
}
