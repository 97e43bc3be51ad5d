package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"munadi/appliance/apimodel"
	"munadi/appliance/config"
	"munadi/store/replay"
)

// replayCommand runs "munadi replay ARGS" on a data folder and returns what it printed.
func replayCommand(t *testing.T, data string, args ...string) (stdout string, err error) {
	t.Helper()
	var cli struct {
		config.Config
		Keys   KeysCmd   `cmd:"" settings:"data"`
		Replay ReplayCmd `cmd:"" settings:"data"`
	}
	var out bytes.Buffer
	options := append(config.ParserOptions(&cli.Config, func(string) (string, bool) { return "", false }),
		kong.Writers(&out, &bytes.Buffer{}), kong.BindTo(t.Context(), (*context.Context)(nil)))
	parser, err := kong.New(&cli, options...)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.Parse(append([]string{"--data=" + data}, args...))
	if err == nil {
		err = parsed.Run()
	}
	return out.String(), err
}

// TestReplayCommands checks the life of a replay without an appliance, and what each command refuses.
func TestReplayCommands(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	if _, err := replayCommand(t, data, "replay", "list"); err == nil {
		t.Error("listed the replays of no database")
	}
	if _, err := replayCommand(t, data, "keys", "create"); err != nil {
		t.Fatal(err)
	}
	for line, says := range map[string]string{
		"start nothing --from 2026-11-01":                                   "no scenario of this organization",
		"start appointment_confirmation --from yesterday":                   "neither a date",
		"start appointment_confirmation --from 2036-11-01":                  "must be before to",
		"start appointment_confirmation --from 2026-11-01 --with-model big": "no installed speech model",
		"start appointment_confirmation --from 2026-11-01 --org nobody":     "nobody",
		"show replay_none":    "there is no replay",
		"results replay_none": "there is no replay",
		"pause replay_none":   "there is no replay",
	} {
		if _, err := replayCommand(t, data, append([]string{"replay"}, strings.Fields(line)...)...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", line, err)
		}
	}
	id, err := replayCommand(t, data, "replay", "start", "appointment_confirmation", "--from", "2026-01-01", "--to", "2026-11-01T08:00:00+03:00")
	if err != nil || !strings.HasPrefix(id, "replay_") {
		t.Fatalf("start printed %q, %v", id, err)
	}
	id = strings.TrimSpace(id)
	for _, step := range []struct{ act, state string }{{"pause", "paused"}, {"resume", "running"}, {"show", "running"}} {
		if out, err := replayCommand(t, data, "replay", step.act, id); err != nil || !strings.Contains(out, step.state) {
			t.Errorf("%s printed %q, %v", step.act, out, err)
		}
	}
	list, err := replayCommand(t, data, "replay", "list", "--json")
	var all []apimodel.ReplayBody
	if err != nil || json.Unmarshal([]byte(list), &all) != nil || len(all) != 1 || all[0].ID != id || all[0].Status != replay.Running {
		t.Errorf("list --json printed %s, %v", list, err)
	}
	if out, err := replayCommand(t, data, "replay", "results", id); err != nil || !strings.HasPrefix(out, "call_id,result,") {
		t.Errorf("results printed %q, %v", out, err)
	}
	if _, err := replayCommand(t, data, "replay", "delete", id); err != nil {
		t.Error(err)
	}
	if _, err := replayCommand(t, data, "replay", "delete", id); err == nil {
		t.Error("deleted twice")
	}
}

// TestReplayResultLines checks the CSV: a line for each difference, guarded against formulas.
func TestReplayResultLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	for _, r := range []replay.Result{
		{CallID: "call_1", State: replay.Changed, OldStatus: "completed", NewStatus: "completed", OldTurns: 2, NewTurns: 3, Report: []replay.Difference{
			{Name: "ok", Old: "true", New: "false", At: 6.25}, {Name: "n", Old: "-1", New: ""},
		}, Parted: &replay.Fork{Old: "=thanks", At: 6}},
		{CallID: "call_2", State: replay.Skipped, Problem: replay.Redacted, OldStatus: "completed"},
	} {
		if err := writeResult(w, r); err != nil {
			t.Fatal(err)
		}
	}
	w.Flush()
	want := "call_1,changed,,completed,completed,2,3,ok,true,false,6.25,'=thanks,\n" +
		"call_1,changed,,completed,completed,2,3,n,'-1,,0.00,'=thanks,\n" +
		"call_2,skipped,redacted,completed,,0,0,,,,0.00,,\n"
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
}
