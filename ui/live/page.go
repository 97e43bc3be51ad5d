package live

import (
	"fmt"
	"strconv"
	"time"

	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// View is the page of the microphone and of the sessions that are kept.
type View struct {
	layout.ConsolePage
	May     bool // speak
	Devices []string
	Deaf    bool // the server has no microphone
	// Latencies of live text that the model offers, the usual one first; a choice is shown from two on.
	Latencies []time.Duration
	Search    string
	CSV       string
	Sessions  []Row
	First     string // address of the beginning of the list; empty there
	Next      string // of the next part; empty on the last one
	Zone      *time.Location
}

// Row is a session.
type Row struct {
	ID      string
	Started time.Time
	Running bool
	Here    bool // by a microphone of the server, which may be stopped
	Browser bool
	Device  string
	Seconds float64
	Text    string
}

// SessionView is the page of one.
type SessionView struct {
	layout.ConsolePage
	Row          Row
	May          bool
	Sound        bool
	SoundDamaged bool // the recording is not the one that was written, and is not played
	Segments     []Segment
	Zone         *time.Location
}

// Segment is the text of a turn. Times are seconds.
type Segment struct {
	Start, End float64
	Text       string
}

// DeleteView is the confirmation of deleting a session.
type DeleteView struct {
	layout.ConsolePage
	ID string
}

func liveAddress(id string) string { return "/console/live/" + id }

func liveSource(r Row, l locale.Language) string {
	if r.Browser {
		return FromBrowser.In(l)
	}
	return FromServer.In(l)
}

// liveClock formats a duration as m:ss.
func liveClock(seconds float64) string {
	s := int(seconds)
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

func liveSeconds(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

func deleteLiveQuestion(p DeleteView) component.AskQuestion {
	return component.AskQuestion{
		Title: DeleteTitle.In(p.Lang), Text: DeleteText.In(p.Lang), Action: liveAddress(p.ID) + "/delete",
		CSRF: p.CSRF, Do: Delete.In(p.Lang),
		Danger: true, Back: liveAddress(p.ID), Leave: Back.In(p.Lang),
	}
}

// latencyValue is a latency in milliseconds, as the realtime protocol takes it.
func latencyValue(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// latencyName says how long text waits, in seconds.
func latencyName(d time.Duration, usual bool, l locale.Language) string {
	name := locale.FillSentence(Seconds.In(l), "n", strconv.FormatFloat(d.Seconds(), 'f', -1, 64))
	if usual {
		name += Usual.In(l)
	}
	return name
}
