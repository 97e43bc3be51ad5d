package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// damageSighting is what was said about a damaged file, and what became of the acknowledged.
type damageSighting struct {
	refusal string // of the start, or of reading a backup; empty: it was accepted
	log     string // until the appliance was ready
	health  string

	doctor, backup             string
	doctorFailed, backupFailed bool

	unreadable []string // answered with an error that says so
	missing    []string // that are said not to exist
	older      []string // answered with other content: an earlier state
	wrong      []string // answered otherwise
	restored   bool     // the file is as it was before
}

// lookAtInstallation starts an appliance on an installation, and asks everything that it had acknowledged.
func (s *damageSoak) lookAtInstallation(ctx context.Context, c damageCase, folder string) (damageSighting, error) {
	a, w, err := openInstallation(s.soakPlan, folder)
	if err != nil {
		return damageSighting{}, err
	}
	defer w.closeServer()
	defer a.killProcess()
	if c.kind == kindInstalled {
		_, said, err := a.runCommand(ctx, "model", "use", ownModel, "--cache", a.cache)
		if err != nil {
			return damageSighting{}, explainFailure(said, err)
		}
	}
	var seen damageSighting
	started := a.startLife(ctx)
	text, err := os.ReadFile(filepath.Join(folder, "munadi.log"))
	if seen.log = string(text); err != nil {
		return seen, err
	}
	if started != nil {
		if seen.refusal = seen.log; a.process != nil && a.process.ExitError() == nil {
			return seen, started // it runs and is not ready
		}
		return seen, s.askCommands(ctx, a, &seen)
	}
	if err := s.askAppliance(ctx, a, &seen); err != nil {
		return seen, err
	}
	whole, err := os.ReadFile(filepath.Join(s.whole.folder, c.file))
	if err != nil {
		return seen, err
	}
	now, _ := os.ReadFile(filepath.Join(folder, c.file)) // it may be gone
	seen.restored = bytes.Equal(whole, now)
	return seen, nil
}

// askAppliance asks a running appliance for everything that was acknowledged, and what it says about itself before
// and after.
func (s *damageSoak) askAppliance(ctx context.Context, a *soakAppliance, seen *damageSighting) error {
	health, err := a.requestJSON(ctx, http.MethodGet, "/health", nil)
	if err != nil {
		return err
	}
	seen.health = string(health.raw)
	for _, ask := range []func(context.Context, *soakAppliance, *damageSighting) error{
		s.askCalls, s.askRecordings, s.askCampaigns, s.askLists, s.askTranscription,
	} {
		if err := ask(ctx, a, seen); err != nil {
			return err
		}
	}
	return s.askCommands(ctx, a, seen)
}

// askCommands runs doctor and backup; neither fails for another reason than damage.
func (s *damageSoak) askCommands(ctx context.Context, a *soakAppliance, seen *damageSighting) error {
	out, said, err := a.runCommand(ctx, "doctor", "--cache", a.cache, "--listen", "127.0.0.1:0")
	seen.doctor, seen.doctorFailed = out+said, err != nil
	out, said, err = a.runCommand(ctx, "backup", filepath.Join(filepath.Dir(a.data), "new-backup"), "--plain")
	seen.backup, seen.backupFailed = out+said, err != nil
	return ctx.Err()
}

// addAnswer records what an acknowledged thing answers.
func (seen *damageSighting) addAnswer(name string, got httpAnswer, same bool) {
	switch {
	case got.status == http.StatusOK && same:
	case got.status == http.StatusOK:
		seen.older = append(seen.older, name)
	case got.status == http.StatusNotFound:
		seen.missing = append(seen.missing, name)
	case got.status == http.StatusInternalServerError && (isNaming(string(got.raw)) ||
		strings.Contains(string(got.raw), "cannot be read")):
		seen.unreadable = append(seen.unreadable, name)
	default:
		seen.wrong = append(seen.wrong, fmt.Sprintf("%s answers %d %.300s", name, got.status, got.raw))
	}
}

func (s *damageSoak) askCalls(ctx context.Context, a *soakAppliance, seen *damageSighting) error {
	for id, want := range s.whole.calls {
		got, err := a.requestJSON(ctx, http.MethodGet, "/api/v1/calls/"+id, nil)
		if err != nil {
			return err
		}
		same := true
		for _, field := range []string{"phone_number", "metadata", "scheduled_at", "status", "report"} {
			same = same && reflect.DeepEqual(got.body.valueAt("data", field), want[field])
		}
		seen.addAnswer("call "+id, got, same)
	}
	return nil
}

func (s *damageSoak) askRecordings(ctx context.Context, a *soakAppliance, seen *damageSighting) error {
	for id, want := range s.whole.recordings {
		got, err := a.requestJSON(ctx, http.MethodGet, "/api/v1/calls/"+id+"/recording", nil)
		if err != nil {
			return err
		}
		seen.addAnswer("recording of "+id, got, sha256.Sum256(got.raw) == want)
	}
	return nil
}

func (s *damageSoak) askCampaigns(ctx context.Context, a *soakAppliance, seen *damageSighting) error {
	for id, rows := range s.whole.campaigns {
		got, err := a.requestJSON(ctx, http.MethodGet, "/api/v1/campaigns/"+id, nil)
		if err != nil {
			return err
		}
		if lost, _ := got.body.valueAt("data", "skipped_unreadable").(bool); lost {
			seen.unreadable = append(seen.unreadable, "skipped rows of "+id)
			continue
		}
		skipped := jsonObject(got.body).listAt("data", "skipped")
		same := len(skipped) == rows
		for n, row := range skipped {
			same = same && row.textAt("phone_number") == fmt.Sprintf("0%d", n)
		}
		seen.addAnswer("campaign "+id, got, same)
	}
	return nil
}

// askLists walks the lists of calls and suppressed numbers: each names all, or says that it is incomplete.
func (s *damageSoak) askLists(ctx context.Context, a *soakAppliance, seen *damageSighting) error {
	calls := make([]string, 0, len(s.whole.calls))
	for id := range s.whole.calls {
		calls = append(calls, id)
	}
	for _, list := range []struct {
		path, name string
		want       []string
	}{{"/api/v1/calls", "id", calls}, {"/api/v1/suppressions", "phone_number", s.whole.suppressed}} {
		got, err := a.requestJSON(ctx, http.MethodGet, list.path+"?limit=200", nil)
		if err != nil {
			return err
		}
		incomplete := got.body.valueAt("meta", "warnings") != nil
		found := map[string]bool{}
		for _, item := range got.body.listAt("data") {
			found[item.textAt(list.name)] = true
		}
		for _, want := range list.want {
			switch {
			case got.status != http.StatusOK:
				seen.wrong = append(seen.wrong, fmt.Sprintf("%s answers %d %.300s", list.path, got.status, got.raw))
				return nil
			case !found[want] && incomplete:
				seen.unreadable = append(seen.unreadable, want+" in "+list.path)
			case !found[want]:
				seen.missing = append(seen.missing, want+" in "+list.path)
			}
		}
	}
	return nil
}

// askTranscription checks that the service is not deaf.
func (s *damageSoak) askTranscription(ctx context.Context, a *soakAppliance, seen *damageSighting) error {
	got, err := a.uploadRecording(ctx, "/compat/v1/audio/transcriptions", s.whole.recording.bytes, nil)
	if err == nil {
		seen.addAnswer("a transcription", got, got.body.textAt("text") == s.whole.recording.words)
	}
	return err
}

// lookAtBackup verifies and restores a backup file.
func (s *damageSoak) lookAtBackup(ctx context.Context, c damageCase, folder string) (damageSighting, error) {
	a, w, err := openInstallation(s.soakPlan, folder)
	if err != nil {
		return damageSighting{}, err
	}
	defer w.closeServer()
	a.data = filepath.Join(folder, "restored")
	file := filepath.Join(folder, c.file)
	verified, said, failed := a.runCommand(ctx, "restore", file, "--verify")
	seen := damageSighting{doctor: verified + said, doctorFailed: failed != nil}
	restored, said, failed := a.runCommand(ctx, "restore", file)
	seen.backup, seen.backupFailed = restored+said, failed != nil
	if seen.doctorFailed && seen.backupFailed {
		seen.refusal = seen.doctor + seen.backup
	}
	return seen, ctx.Err()
}
