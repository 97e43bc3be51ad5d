// Package storagewatch watches the database: whether it is writable, and whether its files are intact.
package storagewatch

import (
	"context"
	"log/slog"
	"time"

	"munadi/appliance/monitor/health"
	"munadi/store"
	"munadi/store/badger"
)

const (
	checkEvery  = 2 * time.Second
	verifyEvery = time.Hour // in addition to every start, every backup and munadi doctor
)

// StorageWatch reports the database's state to the health status.
type StorageWatch struct {
	Store  *badger.BadgerStore
	Health *health.HealthState
	Log    *slog.Logger
}

// WatchWritable reports every two seconds whether the disk is writable and records are unreadable, until ctx ends.
func (w StorageWatch) WatchWritable(ctx context.Context) error {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for {
		w.reportState(ctx)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// reportState checks once. After a failed transaction it tries a small one.
func (w StorageWatch) reportState(ctx context.Context) {
	err := w.Store.CheckWritable()
	code := store.CodeOf(err)
	if err != nil && code != store.CodeNoRoom && code != store.CodeClosed {
		err = w.Store.TryWrite(ctx)
	}
	if ctx.Err() != nil {
		return
	}
	message := ""
	if err != nil {
		message = err.Error()
	}
	w.Health.SetStorage(message, code == store.CodeClosed)
	w.WarnOfDamage()
}

// WarnOfDamage updates the health warning about damage.
func (w StorageWatch) WarnOfDamage() {
	message := DescribeDamage(w.Store)
	if message != "" {
		message = "the database is damaged: " + message
	}
	w.Health.SetWarning("integrity", message)
}

// DescribeDamage describes the damage of the embedded database; empty if there is none. s is nil with a shared
// one.
func DescribeDamage(s *badger.BadgerStore) string {
	if s == nil {
		return ""
	}
	if known := s.Integrity(); !known.IsWhole() {
		return known.String()
	}
	return ""
}

// VerifyFiles verifies all files of the database every hour: a disk may damage data that is not being read.
// A verification that fails does not end the worker: the warning about it is shown until the next one succeeds.
func (w StorageWatch) VerifyFiles(ctx context.Context) error {
	tick := time.NewTicker(verifyEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
		w.verifyOnce(ctx)
	}
}

// verifyOnce verifies all files and reports a failure as the health warning "verification".
func (w StorageWatch) verifyOnce(ctx context.Context) {
	began := time.Now()
	known, err := w.Store.VerifyFiles(ctx)
	if ctx.Err() != nil {
		return
	}
	w.WarnOfDamage()
	if err != nil {
		w.Health.SetWarning("verification", "the database's files could not be verified: "+err.Error())
		w.Log.Error("the database's files could not be verified", "err", err)
		return
	}
	w.Health.SetWarning("verification", "")
	w.Log.Debug("the database's files were verified", "tables", known.Tables, "bytes", known.Bytes,
		"damaged_blocks", known.Blocks, "damaged_values", known.Values, "took", time.Since(began).Round(time.Millisecond))
}

// SharedWatch reports to the health status whether a database that appliances share answers.
type SharedWatch struct {
	Ping   func(ctx context.Context) error
	Health *health.HealthState
}

// sharedEvery is the interval between two probes.
const sharedEvery = time.Second

// WatchAnswers probes the database every second until ctx ends. While it does not answer, readiness and health fail.
func (w SharedWatch) WatchAnswers(ctx context.Context) error {
	tick := time.NewTicker(sharedEvery)
	defer tick.Stop()
	for {
		err := w.Ping(ctx)
		if ctx.Err() != nil {
			return nil
		}
		message := ""
		if err != nil {
			message = "the database does not answer"
		}
		w.Health.SetStorage(message, err != nil)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}
