package alerting_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"munadi/appliance/alerting"
	"munadi/appliance/backup/backupschedule"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/trunk"
	"munadi/store/alert"
	"munadi/store/disk"
	"munadi/ui/locale"
)

func TestJudgeDisk(t *testing.T) {
	t.Parallel()
	const gib = 1 << 30
	for name, c := range map[string]struct {
		state disk.DiskState
		want  alerting.ConditionState
	}{
		"half free":       {disk.DiskState{Size: 100 * gib, Free: 50 * gib}, alerting.Over},
		"4 %":             {disk.DiskState{Size: 100 * gib, Free: 4 * gib}, alerting.Holds},
		"between":         {disk.DiskState{Size: 100 * gib, Free: 11 * gib / 2}, alerting.Unknown},
		"large disk":      {disk.DiskState{Size: 4096 * gib, Free: 20 * gib}, alerting.Over},
		"large, 9 GiB":    {disk.DiskState{Size: 4096 * gib, Free: 9 * gib}, alerting.Holds},
		"small, 200 MiB":  {disk.DiskState{Size: 2 * gib, Free: 200 << 20}, alerting.Holds},
		"small, 500 MiB":  {disk.DiskState{Size: 2 * gib, Free: 500 << 20}, alerting.Over},
		"read-only, free": {disk.DiskState{Size: 100 * gib, Free: 50 * gib, ReadOnly: true}, alerting.Holds},
	} {
		if got := alerting.JudgeDisk(c.state); got.State != c.want || got.Kind != alert.DiskFull {
			t.Errorf("%s: %+v, want %v", name, got, c.want)
		}
	}
}

func TestJudgeBucket(t *testing.T) {
	t.Parallel()
	if got := alerting.JudgeBucket(""); got.Kind != alert.BucketAway || got.State != alerting.Over {
		t.Errorf("a bucket that answers: %+v", got)
	}
	if got := alerting.JudgeBucket("it does\nnot answer"); got.State != alerting.Holds || got.Facts["fault"] != "it does not answer" {
		t.Errorf("a bucket that is away: %+v", got)
	}
}

func TestJudgeBackups(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	next, long := now.Add(time.Hour), now.Add(-90*24*time.Hour)
	last := func(age time.Duration) *backupschedule.BackupFile {
		return &backupschedule.BackupFile{At: now.Add(-age)}
	}
	for name, c := range map[string]struct {
		state   backupschedule.BackupState
		started time.Time
		want    alerting.ConditionState
	}{
		"none wanted":    {backupschedule.BackupState{}, long, alerting.Over},
		"first to come":  {backupschedule.BackupState{Next: &next}, long, alerting.Over},
		"last night":     {backupschedule.BackupState{Next: &next, Last: last(10 * time.Hour)}, long, alerting.Over},
		"failed":         {backupschedule.BackupState{Next: &next, Fault: "disk"}, long, alerting.Holds},
		"old":            {backupschedule.BackupState{Next: &next, Last: last(60 * time.Hour)}, long, alerting.Holds},
		"old, just on":   {backupschedule.BackupState{Next: &next, Last: last(60 * time.Hour)}, now, alerting.Over},
		"old, none more": {backupschedule.BackupState{Last: last(600 * time.Hour)}, long, alerting.Over},
	} {
		if got := alerting.JudgeBackups(c.state, c.started, now); got.State != c.want {
			t.Errorf("%s: %+v, want %v", name, got, c.want)
		}
	}
}

func TestJudgeTrunks(t *testing.T) {
	t.Parallel()
	found := alerting.JudgeTrunks([]trunk.MemberStatus{
		{TrunkStatus: sip.TrunkStatus{Name: "one", Up: true, Load: sip.LoadState{Lines: 3}, NoAudio: sip.NoAudio{Calls: 1, Of: 10}}},
		{TrunkStatus: sip.TrunkStatus{Name: "two", Err: errors.New("refused\nfor a reason"), NoAudio: sip.NoAudio{Of: 1}}},
		{TrunkStatus: sip.TrunkStatus{Name: "three", Up: true, NoAudio: sip.NoAudio{Calls: 1, Of: 20}}},
		{TrunkStatus: sip.TrunkStatus{Name: "new", Up: true}},
	})
	var got []alerting.ConditionState
	for _, c := range found {
		got = append(got, c.State)
	}
	want := []alerting.ConditionState{
		alerting.Over, alerting.Holds, alerting.Holds, alerting.Holds, alerting.Over, alerting.Over,
		alerting.Over, alerting.Unknown, alerting.Over, alerting.Over, alerting.Unknown, alerting.Over,
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("condition %d is %+v", i, found[i])
		}
	}
	if found[1].Subject != "one" || found[1].Facts["calls"] != "1" || found[3].Facts["fault"] == "" || found[2].Facts["lines"] != "3" {
		t.Errorf("facts %v, %v, %v", found[1].Facts, found[3].Facts, found[2].Facts)
	}
}

// TestAlertNamesFields checks that the alert of a trunk that was made in the console names the fields of its form, and
// that of another one the settings.
func TestAlertNamesFields(t *testing.T) {
	t.Parallel()
	for _, state := range []sip.TrunkStatus{{Paused: &sip.CallPause{SIPCode: 401}}, {Err: sip.StatusError(403)}} {
		for stored, want := range map[bool]string{false: "sip-user", true: "“User name”"} {
			down := alerting.JudgeTrunks([]trunk.MemberStatus{{TrunkStatus: state, Stored: stored}})[0]
			said := locale.DescribeAlert(locale.English, string(down.Kind), down.Subject, down.Facts)
			if text := said.What + said.Do; !strings.Contains(text, want) || stored && strings.Contains(text, "sip-user") {
				t.Errorf("stored %v: %+v", stored, said)
			}
		}
	}
}

// TestJudgeRefusingTrunk checks that the alert of a trunk that refuses calls says its answer and what to do, in both
// languages, and that each cause has a remedy of its own.
func TestJudgeRefusingTrunk(t *testing.T) {
	t.Parallel()
	for _, lang := range locale.AllLanguages() {
		remedies := map[string]int{}
		for _, code := range []int{401, 403, 503, 500, 0, 488} {
			down := alerting.JudgeTrunks([]trunk.MemberStatus{{TrunkStatus: sip.TrunkStatus{
				Name: "saudi", Paused: &sip.CallPause{SIPCode: code, Phrase: "Go Away"},
			}}})[0]
			said := locale.DescribeAlert(lang, string(down.Kind), down.Subject, down.Facts)
			answer := fmt.Sprint(code, " Go Away")
			if code == 0 {
				answer = "INVITE"
			}
			if down.State != alerting.Holds || !strings.Contains(said.Title, "saudi") || !strings.Contains(said.What, answer) {
				t.Errorf("%s %d: %+v", lang, code, said)
			}
			remedies[said.Do]++
		}
		if len(remedies) != 6 || remedies[""] > 0 {
			t.Errorf("%s: %v", lang, remedies)
		}
	}
}
