package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestVerdict: each fault is found, and nothing else.
func TestVerdict(t *testing.T) {
	t.Parallel()
	ended := func(id, number string) jsonObject {
		return jsonObject{
			"id": id, "phone_number": number, "status": "completed", "ended_at": "2026-01-01T00:00:00.000Z",
			"scheduled_at": "2026-01-01T00:00:00.000Z", "webhook": map[string]any{"state": "delivered"},
		}
	}
	for name, c := range map[string]struct {
		spoil func(w *soakWitness, calls map[string]jsonObject)
		want  string
	}{
		"all is well":       {func(*soakWitness, map[string]jsonObject) {}, ""},
		"a call is missing": {func(_ *soakWitness, calls map[string]jsonObject) { delete(calls, "a") }, "lost phantom wrong"},
		"a call nobody asked for": {func(w *soakWitness, calls map[string]jsonObject) {
			calls["b"] = ended("b", "+2")
			w.told["b"] = []receivedWebhook{{1, "complete", true, "d"}}
		}, "phantom"},
		"two calls for one key": {func(w *soakWitness, calls map[string]jsonObject) {
			calls["b"] = ended("b", "+1")
			w.told["b"] = []receivedWebhook{{1, "complete", true, "d"}}
		}, "doubled"},
		"told twice": {func(w *soakWitness, _ map[string]jsonObject) { w.told["a"] = append(w.told["a"], w.told["a"][0]) }, "doubled"},
		"told twice, cut between": {func(w *soakWitness, _ map[string]jsonObject) {
			w.told["a"] = append(w.told["a"], receivedWebhook{2, "complete", true, "d"})
		}, ""},
		"never told":               {func(w *soakWitness, _ map[string]jsonObject) { delete(w.told, "a") }, "lost"},
		"only told in vain":        {func(w *soakWitness, _ map[string]jsonObject) { w.told["a"][0].ok = false }, "lost"},
		"told as something else":   {func(w *soakWitness, _ map[string]jsonObject) { w.told["a"][0].kind = "failed" }, "wrong"},
		"dialled twice":            {func(w *soakWitness, _ map[string]jsonObject) { w.dials["a"] = append(w.dials["a"], "b") }, "doubled"},
		"a cancelled call is made": {func(w *soakWitness, _ map[string]jsonObject) { w.bookings["+1"].cancelled = true }, "lost"},
		"never ended":              {func(_ *soakWitness, calls map[string]jsonObject) { calls["a"]["status"] = "dialing" }, "lost wrong"},
	} {
		w, err := newWitness()
		if err != nil {
			t.Fatal(err)
		}
		w.closeServer()
		w.bookings["+1"] = &bookedCall{number: "+1", id: "a"}
		w.told["a"] = []receivedWebhook{{1, "complete", true, "d"}}
		w.dials["a"], w.dials["b"] = []string{""}, []string{""}
		calls := map[string]jsonObject{"a": ended("a", "+1")}
		c.spoil(w, calls)
		w.judgeCalls(calls)
		w.judgeWebhooks(calls)
		found := map[string]bool{}
		for _, f := range w.faults {
			found[f.Kind] = true
		}
		var got []string
		for _, kind := range []string{"doubled", "lost", "phantom", "wrong"} {
			if found[kind] {
				got = append(got, kind)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %q", name, w.faults, c.want)
		}
	}
}

// TestTrends: what grows is seen through noise, and what only swings is flat.
func TestTrends(t *testing.T) {
	t.Parallel()
	made := func(growth float64) *enduranceRun {
		e := &enduranceRun{}
		for i := range 200 {
			swing := float64(i*7919%13) - 6
			e.Samples = append(e.Samples, processSample{
				At: float64(5 * i), Anonymous: 200 + swing + growth*float64(i), Descriptors: 60 + swing, Goroutines: 90,
			})
		}
		e.judgeTrends()
		return e
	}
	if e := made(0); !e.Flat {
		t.Errorf("a swing is taken for growth: %+v", e.Trends)
	}
	e := made(0.2) // 32 MiB over the 800 s that count
	if e.Flat || e.Trends[0].Rise < 28 || e.Trends[0].Rise > 36 {
		t.Errorf("growth is not seen: %+v", e.Trends)
	}
	if got := statusFigure("go_goroutines_x 3\ngo_goroutines 41\n", "go_goroutines "); got != 41 {
		t.Error(got)
	}
}

// TestFolderIsMade: a run makes the folder that it is told to use.
func TestFolderIsMade(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "new", "soak")
	err := runSoak(t.Context(), soakPlan{munadi: "no-such-program", folder: folder, samples: "../../assets/web/samples"}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "no-such-program") {
		t.Errorf("it fails by %v, want the program", err)
	}
	if _, err := os.Stat(filepath.Join(folder, "munadi.log")); err != nil {
		t.Error(err)
	}
}
