package alerting

import (
	"slices"
	"strconv"
	"sync"
	"time"

	"munadi/store/alert"
)

// Replies are late when one in twenty of the last minutes comes after lateReply; the alert is cleared once it comes
// within timelyReply.
const (
	replyWindow = 10 * time.Minute
	leastJudged = 20   // replies
	mostJudged  = 4096 // the newest
	lateReply   = 1500 * time.Millisecond
	timelyReply = 1200 * time.Millisecond
)

// ReplyWatch remembers how long people waited for the replies of the last minutes. Its zero value is ready; it is safe
// for concurrent use.
type ReplyWatch struct {
	mu     sync.Mutex
	recent []countedReply // oldest first
}

type countedReply struct {
	at  time.Time
	gap time.Duration
}

// CountReply counts a reply by the silence that the person heard before it.
func (w *ReplyWatch) CountReply(gap time.Duration, now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.recent) == mostJudged {
		w.recent = slices.Delete(w.recent, 0, mostJudged/4)
	}
	w.recent = append(w.recent, countedReply{now, gap})
}

// JudgeReplies returns the condition that replies come late; unknown while there are few.
func (w *ReplyWatch) JudgeReplies(now time.Time) Condition {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.recent = slices.DeleteFunc(w.recent, func(r countedReply) bool { return now.Sub(r.at) > replyWindow })
	c := Condition{Kind: alert.LateReplies}
	if len(w.recent) < leastJudged {
		return c
	}
	gaps := make([]time.Duration, len(w.recent))
	for i, r := range w.recent {
		gaps[i] = r.gap
	}
	slices.Sort(gaps)
	switch p95 := gaps[(len(gaps)*95+99)/100-1]; {
	case p95 > lateReply:
		c.State = Holds
		c.Facts = map[string]string{
			"wait": strconv.FormatFloat(p95.Seconds(), 'f', 1, 64), "replies": strconv.Itoa(len(gaps)),
		}
	case p95 <= timelyReply:
		c.State = Over
	}
	return c
}
