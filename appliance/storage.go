package appliance

import (
	"context"
	"time"

	"munadi/store"
)

const (
	lookAtStorageEvery = 2 * time.Second
	verifyTablesEvery  = time.Hour // in addition to every start, every backup and munadi doctor
)

// watchStorage updates the health status with whether the disk is writable and with unreadable records.
func (a *Appliance) watchStorage(ctx context.Context) error {
	tick := time.NewTicker(lookAtStorageEvery)
	defer tick.Stop()
	for {
		a.reportStorage(ctx)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// reportStorage checks once. After a failed transaction a small one is tried.
func (a *Appliance) reportStorage(ctx context.Context) {
	err := a.store.CheckWritable()
	code := store.CodeOf(err)
	if err != nil && code != store.CodeNoRoom && code != store.CodeClosed {
		err = a.store.TryWrite(ctx)
	}
	if ctx.Err() != nil {
		return
	}
	message := ""
	if err != nil {
		message = err.Error()
	}
	a.health.SetStorage(message, code == store.CodeClosed)
	a.warnOfDamage()
}

// warnOfDamage updates the health warning about damaged tables.
func (a *Appliance) warnOfDamage() {
	message := a.describeDamage()
	if message != "" {
		message = "the database is damaged: " + message
	}
	a.health.SetWarning("integrity", message)
}

// verifyTables verifies all tables of the database every hour: a disk may damage data that is not being read.
// A verification that fails does not end the worker: the warning about it is shown until the next one succeeds.
func (a *Appliance) verifyTables(ctx context.Context) error {
	tick := time.NewTicker(verifyTablesEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
		a.verifyTablesOnce(ctx)
	}
}

// verifyTablesOnce verifies all tables and reports a failure as the health warning "verification".
func (a *Appliance) verifyTablesOnce(ctx context.Context) {
	began := time.Now()
	known, err := a.store.VerifyTables(ctx)
	if ctx.Err() != nil {
		return
	}
	a.warnOfDamage()
	if err != nil {
		a.health.SetWarning("verification", "the database's tables could not be verified: "+err.Error())
		a.log.Error("the database's tables could not be verified", "err", err)
		return
	}
	a.health.SetWarning("verification", "")
	a.log.Debug("the database's tables were verified", "tables", known.Tables, "bytes", known.Bytes,
		"damaged_blocks", known.Blocks, "took", time.Since(began).Round(time.Millisecond))
}
