package live

import (
	"strconv"
	"time"

	"github.com/a-h/templ"

	"munadi/store/live"
	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// View is the page of the microphone and of the sessions that are kept.
type View struct {
	layout.ConsolePage
	component.TableList
	May     bool // speak
	Devices []string
	Deaf    bool // the server has no microphone
	// Latencies of live text that the model offers, the usual one first; a choice is shown from two on.
	Latencies []time.Duration
	Sessions  []live.LiveSession
	Zone      *time.Location
}

// SessionView is the page of one.
type SessionView struct {
	layout.ConsolePage
	live.LiveSession
	May          bool
	Here         bool // by a microphone of the server, which may be stopped
	Sound        bool
	SoundDamaged bool // the recording is not the one that was written, and is not played
	Zone         *time.Location
}

// Table are the sessions, on the page and as CSV.
var Table = list.Table[live.LiveSession]{
	{Key: "id", Text: func(s live.LiveSession) string { return s.ID }},
	{
		Title: When, Key: "started_at", Time: func(s live.LiveSession) time.Time { return s.StartedAt },
		Cell: func(at list.At, s live.LiveSession) templ.Component { return sessionLink(at, s) },
	},
	{
		Title: Said, Key: "text", Text: live.LiveSession.FullText,
		Cell: func(at list.At, s live.LiveSession) templ.Component { return excerptOf(at.Lang, s.FullText()) },
	},
	{
		Title: Source, Key: "source", Text: func(s live.LiveSession) string { return string(s.Source) },
		Cell: func(at list.At, s live.LiveSession) templ.Component { return plainText(sourceWord(s, at.Lang)) },
	},
	{Key: "device", Text: func(s live.LiveSession) string { return s.Device }},
	{Key: "ended_at", Time: func(s live.LiveSession) time.Time { return list.MomentOf(s.EndedAt) }},
	{
		Title: Length, Key: "seconds", Number: true,
		Text: func(s live.LiveSession) string { return strconv.FormatFloat(s.Seconds, 'f', 1, 64) },
		Cell: func(at list.At, s live.LiveSession) templ.Component { return sessionLength(at.Lang, s) },
	},
}

// excerptLength is how many characters of a transcript the list shows.
const excerptLength = 160

// DeleteView is the confirmation of deleting a session.
type DeleteView struct {
	layout.ConsolePage
	ID string
}

func liveAddress(id string) string { return "/console/live/" + id }

func sourceWord(s live.LiveSession, l locale.Language) string {
	if s.Source == live.Browser {
		return FromBrowser.In(l)
	}
	return FromServer.In(l)
}

// spokenWords returns the timed words of a segment; the whole text as one without them.
func spokenWords(g live.LiveSegment) []live.SegmentWord {
	if len(g.Words) > 0 {
		return g.Words
	}
	return []live.SegmentWord{{Text: g.Text, Start: g.Start, End: g.End}}
}

func liveSeconds(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

func deleteLiveQuestion(p DeleteView) component.AskQuestion {
	return component.AskQuestion{
		Title: DeleteTitle.In(p.Lang), Text: DeleteText.In(p.Lang), Action: liveAddress(p.ID) + "/delete",
		Do: Delete.In(p.Lang), Danger: true, Back: liveAddress(p.ID),
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
