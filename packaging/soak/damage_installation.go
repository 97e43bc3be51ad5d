package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

const (
	ownModel   = "own"           // name of the installed model
	backupFile = "backup.munadi" // in the installation's folder
	// manyRows is the number of wrong rows of a campaign, whose list is then kept in a value log (64 KiB and more).
	manyRows = 2000
	// lives is the number of starts, in each of which records are added: all but the last leave a table.
	lives = 3
)

// sampleInstallation is an installation that was killed, and what it had acknowledged.
type sampleInstallation struct {
	folder     string // with data, cache and backup
	recording  soakRecording
	calls      map[string]jsonObject        // as they were answered
	recordings map[string][sha256.Size]byte // by call
	campaigns  map[string]int               // skipped rows
	suppressed []string
}

// makeInstallation makes an installation whose records are in tables, value logs and the log of the memtable.
func makeInstallation(ctx context.Context, p soakPlan) (*sampleInstallation, error) {
	spoken, err := os.ReadFile(filepath.Join(p.samples, "confirm.flac"))
	if err != nil {
		return nil, err
	}
	i := &sampleInstallation{
		folder: filepath.Join(p.folder, "whole"), recording: soakRecording{spoken, "نعم أؤكد الموعد"},
		calls: map[string]jsonObject{}, recordings: map[string][sha256.Size]byte{}, campaigns: map[string]int{},
	}
	if err := errors.Join(os.RemoveAll(i.folder), os.MkdirAll(i.folder, 0o700)); err != nil {
		return nil, err
	}
	a, w, err := openInstallation(p, i.folder)
	if err != nil {
		return nil, err
	}
	defer w.closeServer()
	defer a.killProcess()
	a.timeScale = fast
	for life := range lives {
		if err := a.startLife(ctx); err != nil {
			return nil, err
		}
		if err := i.addRecords(ctx, a, life); err != nil {
			return nil, err
		}
		if life == lives-1 {
			break
		}
		if err := a.process.Stop(patience); err != nil { // the memtable becomes a table
			return nil, err
		}
	}
	_, said, err := a.runCommand(ctx, "backup", filepath.Join(i.folder, backupFile), "--plain")
	if err != nil {
		return nil, explainFailure(said, err)
	}
	return i, errors.Join(i.installModel(ctx, a), i.fetchRecords(ctx, a))
}

// openInstallation returns the appliance of an installation's folder, not yet started. What it logs is in munadi.log.
func openInstallation(p soakPlan, folder string) (*soakAppliance, *soakWitness, error) {
	p.folder = folder
	w, err := newWitness()
	if err != nil {
		return nil, nil, err
	}
	a, err := newAppliance(p, w)
	if err != nil {
		w.closeServer()
		return nil, nil, err
	}
	a.tends = []string{""} // whatever it logs is judged elsewhere
	a.args = []string{"--backup-at", "none"}
	return a, w, nil
}

// explainFailure adds what a command printed to its error.
func explainFailure(said string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %s", err, said)
}

// installModel installs a copy of the built-in model, without using it.
func (i *sampleInstallation) installModel(ctx context.Context, a *soakAppliance) error {
	unpacked, err := filepath.Glob(filepath.Join(a.cache, "model-*"))
	if err != nil || len(unpacked) != 1 {
		return fmt.Errorf("the unpacked model is not found: %v, %w", unpacked, err)
	}
	for _, args := range [][]string{{"import", "--name", ownModel, unpacked[0]}, {"use", "built-in"}} {
		_, said, err := a.runCommand(ctx, append(append([]string{"model"}, args...), "--cache", a.cache)...)
		if err != nil {
			return explainFailure(said, err)
		}
	}
	return nil
}

// addRecords books calls, some of which are made at once, suppresses numbers and makes a campaign with many wrong rows.
func (i *sampleInstallation) addRecords(ctx context.Context, a *soakAppliance, life int) error {
	b := jsonObject{"scenario_id": "appointment_confirmation"}
	for n := range 40 {
		b["phone_number"], b["metadata"] = fmt.Sprintf("+96651%d%04d00", life, n), jsonObject{"row": fmt.Sprint(life, n)}
		if delete(b, "scheduled_at"); n >= 2 {
			b["scheduled_at"] = time.Now().Add(later).UTC().Format(time.RFC3339)
		}
		got, err := a.createRecord(ctx, "/api/v1/calls", b)
		if err != nil {
			return err
		}
		i.calls[got.textAt("data", "id")] = nil
		if n%4 > 0 {
			continue
		}
		number := fmt.Sprintf("+96659%d%06d", life, n)
		if _, err := a.createRecord(ctx, "/api/v1/suppressions", jsonObject{"phone_number": number}); err != nil {
			return err
		}
		i.suppressed = append(i.suppressed, number)
	}
	rows := []jsonObject{{"phone_number": fmt.Sprintf("+96652%d000000", life)}}
	for n := range manyRows {
		rows = append(rows, jsonObject{"phone_number": fmt.Sprintf("0%d", n)})
	}
	got, err := a.createRecord(ctx, "/api/v1/campaigns", jsonObject{
		"name": "many wrong rows", "scenario_id": b["scenario_id"], "skip_invalid": true, "calls": rows,
		"starts_at": time.Now().Add(later).UTC().Format(time.RFC3339),
	})
	i.campaigns[got.textAt("data", "id")] = manyRows
	if err != nil {
		return err
	}
	_, err = awaitSettled(ctx, a)
	return err
}

// createRecord sends a request that must create something.
func (a *soakAppliance) createRecord(ctx context.Context, path string, body jsonObject) (jsonObject, error) {
	got, err := a.requestJSON(ctx, http.MethodPost, path, body)
	if err == nil && got.status/100 != 2 {
		err = fmt.Errorf("%s: %d %s", path, got.status, got.raw)
	}
	return got.body, err
}

// fetchRecords stores how calls and recordings are answered.
func (i *sampleInstallation) fetchRecords(ctx context.Context, a *soakAppliance) error {
	for id := range i.calls {
		got, err := a.requestJSON(ctx, http.MethodGet, "/api/v1/calls/"+id, nil)
		if err != nil || got.status != http.StatusOK {
			return fmt.Errorf("call %s: %d, %w", id, got.status, err)
		}
		i.calls[id], _ = got.body.valueAt("data").(map[string]any)
		if i.calls[id].textAt("status") != "completed" {
			continue
		}
		recording, err := a.requestJSON(ctx, http.MethodGet, "/api/v1/calls/"+id+"/recording", nil)
		if err != nil || recording.status != http.StatusOK {
			return fmt.Errorf("the recording of %s: %d, %w", id, recording.status, err)
		}
		i.recordings[id] = sha256.Sum256(recording.raw)
	}
	if len(i.recordings) == 0 {
		return errors.New("no call has a recording")
	}
	return nil
}
