package main

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"
)

// TestSharedWebhooks: a notification may come twice with its id, and a true outcome may replace "failed"; all else is a
// fault.
func TestSharedWebhooks(t *testing.T) {
	t.Parallel()
	ended := map[string]jsonObject{"a": {
		"status": "completed", "ended_at": "2026-01-01T00:00:00.000Z", "webhook": map[string]any{"state": "delivered"},
	}}
	for name, c := range map[string]struct {
		told             []receivedWebhook
		twice, corrected int
		want             string
	}{
		"once":                     {[]receivedWebhook{{1, "complete", true, "x"}}, 0, 0, ""},
		"twice with its id":        {[]receivedWebhook{{1, "complete", true, "x"}, {1, "complete", true, "x"}}, 1, 0, ""},
		"the true outcome":         {[]receivedWebhook{{1, "failed", true, "x"}, {1, "complete", true, "y"}}, 0, 1, ""},
		"twice with two ids":       {[]receivedWebhook{{1, "complete", true, "x"}, {1, "complete", true, "y"}}, 0, 0, "doubled"},
		"one id, two contents":     {[]receivedWebhook{{1, "failed", true, "x"}, {1, "complete", true, "x"}}, 1, 0, "wrong"},
		"only as failed":           {[]receivedWebhook{{1, "failed", true, "x"}}, 0, 1, "lost"},
		"only refused":             {[]receivedWebhook{{1, "complete", false, "x"}}, 0, 0, "lost"},
		"never":                    {nil, 0, 0, "lost"},
		"as something else":        {[]receivedWebhook{{1, "no_answer", true, "x"}, {1, "complete", true, "y"}}, 0, 0, "wrong"},
		"refused and then heard":   {[]receivedWebhook{{1, "complete", false, "x"}, {1, "complete", true, "x"}}, 0, 0, ""},
		"of a call that is no one": {nil, 0, 0, "lost phantom"},
	} {
		w, err := newWitness()
		if err != nil {
			t.Fatal(err)
		}
		w.closeServer()
		if c.told != nil {
			w.told["a"] = c.told
		}
		if strings.Contains(c.want, "phantom") {
			w.told["b"] = []receivedWebhook{{1, "", true, "x"}}
		}
		twice, corrected := w.judgeSharedWebhooks(ended)
		if twice != c.twice || corrected != c.corrected {
			t.Errorf("%s: %d twice, %d corrected", name, twice, corrected)
		}
		found := w.countFaults().Found
		var got []string
		for _, kind := range []string{"doubled", "lost", "phantom", "wrong"} {
			if found[kind] > 0 {
				got = append(got, kind)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %q", name, w.faults, c.want)
		}
	}
}

// TestDials: a call is dialled once at most, and only one that is made.
func TestDials(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status string
		by     []string
		faults int
	}{
		"by one": {"completed", []string{"1"}, 0}, "by two": {"completed", []string{"1", "2"}, 1},
		"by the same twice": {"failed", []string{"1", "1"}, 1}, "unseen": {"completed", nil, 1},
		"killed before": {"failed", nil, 0}, "cancelled": {"cancelled", []string{"1"}, 1}, "for later": {"scheduled", nil, 0},
	} {
		w := &soakWitness{dials: map[string][]string{"a": c.by}}
		if w.judgeDials("a", c.status); len(w.faults) != c.faults {
			t.Errorf("%s: %v", name, w.faults)
		}
	}
}

// TestTalkWindow: an outage is found in a recording by the clock of its appliance and the speed of its calls, and
// silence in it is seen.
func TestTalkWindow(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	member := &clusterMember{soakAppliance: soakAppliance{clock: 30 * time.Second}}
	s := &clusterSoak{soakPlan: soakPlan{timeScale: "2"}}
	from, to := s.windowOf(talkWindow{
		runningCall: runningCall{"a", member}, from: began.Add(10 * time.Second), to: began.Add(30 * time.Second),
	}, jsonObject{"started_at": began.Add(35 * time.Second).Format(time.RFC3339)})
	if from != 10 || to != 50 {
		t.Errorf("the outage is from %v to %v s of the recording, want 10 to 50", from, to)
	}
	wav := append([]byte("RIFF"), make([]byte, wavHeader-4+2*wavSeconds)...)
	binary.LittleEndian.PutUint32(wav[wavHeader-4:], 2*wavSeconds)
	for at := wavHeader; at < wavHeader+wavSeconds; at += 4 { // the left channel talks for the first of two seconds
		binary.LittleEndian.PutUint16(wav[at:], 1000)
	}
	if seconds, whole := recordedSeconds(wav); seconds != 2 || !whole {
		t.Errorf("%v s, whole %v", seconds, whole)
	}
	if _, whole := recordedSeconds(wav[:len(wav)-4]); whole {
		t.Error("a recording that breaks off is taken for a whole one")
	}
	if left, right := measureLoudness(wav, 0, 1); left != 1000 || right != 0 {
		t.Errorf("loudness %v and %v", left, right)
	}
	if left, _ := measureLoudness(wav, 1, 2); left != 0 {
		t.Errorf("loudness of silence %v", left)
	}
}
