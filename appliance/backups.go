package appliance

import (
	"context"
	"time"

	"munadi/appliance/backup"
	"munadi/appliance/console"
	"munadi/appliance/vault"
	"munadi/store/badger"
)

// openVault makes what makes backups.
func (a *Appliance) openVault() {
	a.vault = vault.New(vault.Deps{
		Plan: func() vault.Plan { return vault.PlanOf(a.inForce()) },
		Source: func(now time.Time) backup.Source {
			return backup.Source{
				Data: a.config.Data, Secret: a.config.Secret(), Database: a.store.Backup, Version: a.version, Now: now,
			}
		},
		Now: time.Now, Log: a.log, Damage: a.damage,
	})
}

// damage says what of the database is damaged; empty when nothing is.
func (a *Appliance) damage() string {
	if known := a.store.Integrity(); !known.Whole() {
		return known.String()
	}
	return ""
}

// beforeUpgrade backs up a database that an older version wrote.
func (a *Appliance) beforeUpgrade(u badger.Upgrade) error {
	made, err := vault.BeforeUpgrade(context.Background(), a.config, a.version, u)
	if err == nil {
		a.log.Info("the database is upgraded; a backup of it as it was has been made", "file", made.Name,
			"folder", a.config.Backups(), "from", u.From, "to", u.To)
	}
	return err
}

// backups is what the console shows of them.
func (a *Appliance) backups() console.Backups {
	s := a.vault.State()
	out := console.Backups{Folder: s.Folder, Next: s.Next, Kept: s.Kept, Busy: s.Busy, Fault: s.Fault, Plain: s.Plain}
	if s.Last != nil {
		out.Last, out.Bytes = &s.Last.At, s.Last.Bytes
	}
	return out
}
