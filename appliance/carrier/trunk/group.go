package trunk

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/monitor/metrics"
)

// fullAgain is when a call is dialled again for which no trunk had a line.
const fullAgain = time.Second

// Errors of calls that no trunk took.
var (
	errNotServed = errors.New("no trunk serves this destination: add its prefix to one of sip-trunks, " +
		"or a trunk without prefixes")
	errNoTrunk = errors.New("no SIP trunk is set: add one on the page SIP trunks of the console, or to sip-trunks")
	errFull    = errors.New("all lines of the trunks that serve this destination are in use")
)

// Trunk is one SIP trunk of a group; *[sip.Carrier] is one.
type Trunk interface {
	carrier.Carrier
	TrunkName() string
	FreeLines() int
	IsTrialDue() bool
	IncomingLines() int
	ReceiveCalls(receiver carrier.Receiver)
	Status() sip.TrunkStatus
	PingTrunk(ctx context.Context) (sip.TrunkAnswer, error)
	SetLines(lines int)
	IsIdle() bool
	Run(ctx context.Context) error
	Close() error
}

// GroupMember is a trunk with the numbers that it serves.
type GroupMember struct {
	Trunk
	Prefixes  []string // E.164; empty: all numbers
	Registers bool     // a registration is configured
	Stored    bool     // it was made in the console, not in the settings
	Latch     string   // the setting sip-latch, for advice

	lines   int      // of the settings; 0: not limited by them
	listen  string   // signalling address of the settings
	content [32]byte // hash of the settings with which it was opened
	stop    func()   // ends Run; nil while it does not run
}

// servesNumber reports whether the trunk serves a number.
func (m GroupMember) servesNumber(number string) bool {
	return len(m.Prefixes) == 0 ||
		slices.ContainsFunc(m.Prefixes, func(prefix string) bool { return strings.HasPrefix(number, prefix) })
}

// TrunkGroup is a carrier over several SIP trunks (least-cost routing by prefix). A call goes to the first trunk that
// serves its number and has a free line; if that is down or answers 503, to the next.
//
// Its trunks may change while calls are up, see [TrunkGroup.PrepareChange]: a trunk that was removed or replaced gets
// no new calls, and is closed when its calls have ended.
type TrunkGroup struct {
	log     *slog.Logger
	version string // for User-Agent

	mu       sync.Mutex
	members  []GroupMember // never changed in place
	leaving  []GroupMember
	faults   []MemberStatus // of trunks that could not be opened
	freed    bool           // a removed trunk was closed: its port may be free for one of faults
	receiver carrier.Receiver
	running  context.Context // of Run; nil while it does not run
	workers  sync.WaitGroup
	closings sync.WaitGroup // of trunks that were removed while idle
}

// NewGroup returns the group of some trunks, in the order in which they are tried.
func NewGroup(log *slog.Logger, members ...GroupMember) *TrunkGroup {
	return &TrunkGroup{log: log, members: members}
}

// listMembers returns the trunks in force.
func (g *TrunkGroup) listMembers() []GroupMember {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.members
}

// listAll returns the trunks in force, and those that could not be opened.
func (g *TrunkGroup) listAll() ([]GroupMember, []MemberStatus) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.members, g.faults
}

// Name returns "sip".
func (g *TrunkGroup) Name() string { return "sip" }

// Simulated returns false.
func (g *TrunkGroup) Simulated() bool { return false }

// Lines returns how many concurrent calls the trunks accept in all; while all are down, as many as are answered.
func (g *TrunkGroup) Lines() (lines int) {
	for _, m := range g.listMembers() {
		lines += m.Lines()
	}
	return lines
}

// IncomingLines returns how many calls at once this machine can hold over the trunks, whether or not they take ours.
func (g *TrunkGroup) IncomingLines() (lines int) {
	for _, m := range g.listMembers() {
		lines += m.IncomingLines()
	}
	return lines
}

// ReceiveCalls says who takes the calls that come in over any trunk.
func (g *TrunkGroup) ReceiveCalls(receiver carrier.Receiver) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.receiver = receiver
	for _, m := range g.members {
		m.ReceiveCalls(receiver)
	}
}

// LineAllocator returns a function that allocates a line for a number, and reports whether a trunk that serves the
// number has a free one. The calls to held numbers have their lines already. A number that no trunk serves is accepted
// here, and refused when it is dialled.
func (g *TrunkGroup) LineAllocator(held []string) (take func(number string) bool) {
	members := g.listMembers()
	free := make([]int, len(members))
	for i, m := range members {
		free[i] = m.Lines()
	}
	take = func(number string) bool {
		served := false
		for i, m := range members {
			if !m.servesNumber(number) {
				continue
			}
			if served = true; free[i] > 0 {
				free[i]--
				return true
			}
		}
		return !served
	}
	for _, number := range held {
		take(number)
	}
	return take
}

// DueTrials returns, for each paused trunk that the next call tries, which numbers it serves.
func (g *TrunkGroup) DueTrials() (all []func(number string) bool) {
	for _, m := range g.listMembers() {
		if m.IsTrialDue() {
			all = append(all, m.servesNumber)
		}
	}
	return all
}

// Dial places a call over the first trunk that takes it. If all that serve the number are down or full, the error says
// when to dial again.
func (g *TrunkGroup) Dial(ctx context.Context, r carrier.DialRequest) (carrier.Line, error) {
	members := g.listMembers()
	if len(members) == 0 {
		return nil, &carrier.DialError{Err: errNoTrunk, RetryAfter: downAgain}
	}
	if r.Number == "" { // a member of staff may have an address instead
		members = orderForAddress(members)
	}
	refused := &carrier.DialError{Err: errNotServed}
	for _, m := range members {
		isServed := r.Number == "" || m.servesNumber(r.Number)
		if r.Trunk != "" && m.TrunkName() != r.Trunk || r.Trunk == "" && !isServed {
			continue
		}
		if m.FreeLines() <= 0 {
			refused = moreInformative(refused, g.fullRefusal(m))
			continue
		}
		line, err := m.Dial(ctx, r)
		next, ok := errors.AsType[*carrier.DialError](err)
		if !ok || !allowsNextTrunk(next) || ctx.Err() != nil {
			return line, err
		}
		g.log.Warn("a trunk did not take a call: the next one is tried", "call_id", r.CallID, "trunk", m.TrunkName(),
			"err", err)
		refused = moreInformative(refused, next)
	}
	return nil, refused
}

// orderForAddress returns the trunks in the order in which a SIP address is dialled: a trunk that is for some prefixes
// knows no extensions, so it comes last.
func orderForAddress(members []GroupMember) []GroupMember {
	return slices.SortedStableFunc(slices.Values(members), func(a, b GroupMember) int {
		return cmp.Compare(min(len(a.Prefixes), 1), min(len(b.Prefixes), 1))
	})
}

// fullRefusal returns the error of a call for which a trunk has no free line.
func (g *TrunkGroup) fullRefusal(m GroupMember) *carrier.DialError {
	if s := m.Status(); !s.Up {
		return &carrier.DialError{Err: errDown, RetryAfter: downAgain}
	}
	return &carrier.DialError{Err: errFull, RetryAfter: fullAgain}
}

// errDown means that a trunk is down or refuses calls, and downAgain when its calls are dialled again.
var errDown = errors.New("the trunk takes no calls")

const downAgain = 5 * time.Second

// allowsNextTrunk reports whether another trunk may be tried after a refusal: no telephone rang, and the trunk is down,
// asks for a pause, or answers 503.
func allowsNextTrunk(refused *carrier.DialError) bool {
	switch {
	case refused.Rang || refused.RingTimeout:
		return false
	case refused.RetryAfter > 0:
		return true
	case refused.SIPCode != nil:
		return *refused.SIPCode == 503
	default:
		return refused.Q850 == nil && refused.Err != nil
	}
}

// moreInformative returns which refusal of two trunks to report: one after which the call is dialled again, the sooner
// one if both are such, otherwise the later refusal.
func moreInformative(before, now *carrier.DialError) *carrier.DialError {
	if before.RetryAfter > 0 && (now.RetryAfter == 0 || before.RetryAfter < now.RetryAfter) {
		return before
	}
	return now
}

// MemberStatus is the status of a group's trunk.
type MemberStatus struct {
	sip.TrunkStatus
	Prefixes  []string
	Registers bool
	Stored    bool // see [GroupMember]
}

// Statuses returns the status of each trunk, in order; last those that could not be opened.
func (g *TrunkGroup) Statuses() []MemberStatus {
	members, faults := g.listAll()
	var all []MemberStatus
	for _, m := range members {
		all = append(all, MemberStatus{m.Status(), m.Prefixes, m.Registers, m.Stored})
	}
	return append(all, faults...)
}

// ListGauges returns the gauges of each trunk (Prometheus). Those of several trunks have the label trunk.
func ListGauges(g *TrunkGroup) (all []metrics.Gauge) {
	members := g.listMembers()
	for _, m := range members {
		var labels map[string]string
		if len(members) > 1 {
			labels = map[string]string{"trunk": m.TrunkName()}
		}
		all = append(all, metrics.Gauge{
			Name: "sip_up", Help: "1 while calls go out over the SIP trunk, 0 while they wait for it.", Labels: labels,
			Value: func() float64 { return metrics.BoolGauge(m.Status().Up) },
		}, metrics.Gauge{
			Name: "sip_paused", Help: "1 while calls wait because the SIP trunk refuses them or does not answer INVITE, else 0.",
			Labels: labels, Value: func() float64 { return metrics.BoolGauge(m.Status().Paused != nil) },
		}, metrics.Gauge{
			Name: "sip_paused_status", Help: "SIP status with which the paused SIP trunk refuses calls; 0 without one.",
			Labels: labels, Value: func() float64 { return pausedStatus(m.Status().Paused) },
		}, metrics.Gauge{
			Name: "sip_sound_late_ratio", Help: "Share of sound packets that left over 20 ms late, in the last 10 s.",
			Labels: labels, Value: func() float64 { return m.Status().Load.Late },
		}, metrics.Gauge{
			Name: "sip_no_audio_calls", Help: "Of the last hour's answered calls, at most 50, those that got no audio.",
			Labels: labels, Value: func() float64 { return float64(m.Status().NoAudio.Calls) },
		})
		if m.Registers {
			all = append(all, metrics.Gauge{
				Name: "sip_registered", Help: "1 while registered at the SIP trunk, else 0.", Labels: labels,
				Value: func() float64 { return metrics.BoolGauge(!m.Status().Registered.IsZero()) },
			})
		}
	}
	return all
}

func pausedStatus(p *sip.CallPause) float64 {
	if p == nil {
		return 0
	}
	return float64(p.SIPCode)
}

// CauseOfPause returns why a trunk refuses calls, as [locale.DescribeRefusal] names it.
func CauseOfPause(p *sip.CallPause) string {
	switch code := p.SIPCode; {
	case code == 0:
		return "silent"
	case carrier.IsSuccess(code):
		return "media"
	case code == 401 || code == 407:
		return "credentials"
	case code == 403:
		return "account"
	case code == 503:
		return "overload"
	case code == 408 || code >= 500 && code < 600:
		return "server"
	default:
		return "request"
	}
}
