package sip

import (
	"net/netip"
	"slices"
	"sync"
	"time"

	"munadi/appliance/carrier/sip/media"
	"munadi/store/call"
)

// mostCodes is the maximum number of stored statuses per call.
const mostCodes = 32

// inviteAnswers are the response statuses of an INVITE, over all servers. The zero value is empty.
type inviteAnswers struct {
	mu  sync.Mutex
	all []int
}

// addStatus records a status, unless it repeats the last one.
func (a *inviteAnswers) addStatus(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if n := len(a.all); n < mostCodes && (n == 0 || a.all[n-1] != status) {
		a.all = append(a.all, status)
	}
}

func (a *inviteAnswers) statusCodes() []int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.all)
}

// Measure implements carrier.MeasuredLine.
func (l *sipLine) Measure() call.LineFacts {
	s := l.Stats()
	return call.LineFacts{
		Trunk: l.dialog.options.Name, SIPCodes: l.dialog.said.statusCodes(), Codec: s.Codec, Encrypted: s.Encrypted,
		Sent: s.Sent, Received: s.Received, Lost: s.Lost, Late: s.Late,
		Ignored: s.Ignored + s.Foreign + s.Forged, Foreign: s.Foreign,
	}
}

// ForeignSound summarizes the calls with audio from an address that was not negotiated.
type ForeignSound struct {
	Calls int        // since the start
	Last  time.Time  // end of the last of them
	From  netip.Addr // source address
}

// foreignSound counts such calls. The zero value is ready.
type foreignSound struct {
	mu sync.Mutex
	ForeignSound
}

// addCall records a call's media statistics at its end.
func (f *foreignSound) addCall(s media.MediaStats) {
	if s.Foreign == 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Calls++
	f.Last, f.From = time.Now(), s.Stranger
}

func (f *foreignSound) currentState() ForeignSound {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ForeignSound
}
