package alerting

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"munadi/appliance/backup/backupschedule"
	"munadi/appliance/carrier/trunk"
	"munadi/store/alert"
	"munadi/store/disk"
)

const (
	// The disk is nearly full below 5 % of its size or 10 GiB, whichever is less, and in any case below twice the
	// database's reserve; the alert is cleared at a fifth more.
	diskShare = 20 // one part in
	mostFree  = 10 << 30
	leastFree = 256 << 20
	// A backup is too old after two nights, once the appliance has had time to make up for one.
	oldBackup  = 50 * time.Hour
	backupWait = 3 * time.Hour
)

// JudgeDisk returns the condition of a disk.
func JudgeDisk(s disk.DiskState) Condition {
	limit := max(min(s.Size/diskShare, mostFree), leastFree)
	facts := map[string]string{"free": formatBytes(s.Free), "size": formatBytes(s.Size)}
	c := Condition{Kind: alert.DiskFull, Facts: facts}
	switch {
	case s.Free < limit || s.ReadOnly:
		c.State = Holds
	case s.Free > limit+limit/5:
		c.State = Over
	}
	return c
}

// JudgeBackups returns the condition of nightly backups; started is when the appliance was.
func JudgeBackups(s backupschedule.BackupState, started, now time.Time) Condition {
	c := Condition{Kind: alert.BackupFailed, State: Over, Facts: map[string]string{"last": "—", "fault": s.Fault}}
	if s.Last != nil {
		c.Facts["last"] = s.Last.At.UTC().Format(mailTime)
	}
	tooOld := s.Last != nil && now.Sub(s.Last.At) > oldBackup && now.Sub(started) > backupWait
	if s.Next != nil && (s.Fault != "" || tooOld) {
		c.State = Holds
	}
	return c
}

// JudgeBucket returns the condition of the bucket of recordings; fault describes the fault and the backlog, and is
// empty without one.
func JudgeBucket(fault string) Condition {
	if fault == "" {
		return Condition{Kind: alert.BucketAway, State: Over}
	}
	return Condition{Kind: alert.BucketAway, State: Holds, Facts: map[string]string{"fault": oneLine(fault)}}
}

// JudgeTrunks returns the conditions of the SIP trunks: whether each takes calls, whether its calls get audio, and
// whether it is overloaded.
func JudgeTrunks(all []trunk.MemberStatus) (found []Condition) {
	for _, s := range all {
		down := Condition{Kind: alert.TrunkDown, Subject: s.Name, State: Over}
		if !s.Up {
			down.State, down.Facts = Holds, map[string]string{"fault": "—"}
			switch {
			case s.Paused != nil:
				down.Facts = map[string]string{"cause": trunk.CauseOfPause(s.Paused), "answer": s.Paused.Answer()}
			case s.Err != nil:
				down.Facts["fault"] = oneLine(trunk.ExplainError(s.Err))
			}
			if s.Stored { // its sentence names the console's fields
				down.Facts["stored"] = "true"
			}
		}
		late := Condition{Kind: alert.Overload, Subject: s.Name, State: Over}
		if s.Load.Lines > 0 {
			late.State, late.Facts = Holds, map[string]string{"lines": strconv.Itoa(s.Load.Lines)}
		}
		found = append(found, down, judgeAudio(s), late)
	}
	return found
}

// Shares of a trunk's answered calls without audio that raise and clear its alert: one in so many.
const (
	manyWithoutAudio = 10
	fewWithoutAudio  = 20
)

// judgeAudio returns the condition that a trunk's answered calls get no audio; unknown while none has ended.
func judgeAudio(s trunk.MemberStatus) Condition {
	n := s.NoAudio
	c := Condition{Kind: alert.NoAudio, Subject: s.Name}
	switch {
	case n.Calls > 0 && n.Calls*manyWithoutAudio >= n.Of:
		c.State, c.Facts = Holds, map[string]string{"calls": strconv.Itoa(n.Calls), "of": strconv.Itoa(n.Of)}
	case n.Calls*fewWithoutAudio < n.Of:
		c.State = Over
	}
	return c
}

// formatBytes returns a size in GiB or MiB.
func formatBytes(n uint64) string {
	if n < 1<<30 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}

// oneLine cuts foreign text to a short line.
func oneLine(text string) string {
	line := []rune(strings.Join(strings.Fields(text), " "))
	return string(line[:min(len(line), 200)])
}
