package trunk

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/config"
	"munadi/appliance/httpserver"
)

// TrunkChange is a change of a group's trunks that is prepared, but not in force.
type TrunkChange struct {
	group  *TrunkGroup
	next   []GroupMember
	opened []GroupMember  // those of next that the group did not have
	faults []MemberStatus // of trunks that could not be opened

	stored bool // by the console: a trunk that cannot be opened is left out
}

// notOpenError is why a trunk could not be opened, with the remedy.
type notOpenError struct{ error }

// PrepareChange opens the trunks of the settings that the group does not have, or has with other settings. A trunk
// whose settings are unchanged stays open, with its registration, circuit breaker and calls; only its lines and
// prefixes may change. Either [TrunkChange.Apply] or [TrunkChange.Discard] must follow.
func (g *TrunkGroup) PrepareChange(cfg *config.Config) (*TrunkChange, error) {
	return g.prepareTrunks(cfg, cfg.Trunks(), false)
}

// PrepareStored is [TrunkGroup.PrepareChange] for the trunks that were set in the console. One that cannot be opened is
// left out, and is down in [TrunkGroup.Statuses].
func (g *TrunkGroup) PrepareStored(cfg *config.Config, all []config.SIPTrunkSettings) *TrunkChange {
	c, _ := g.prepareTrunks(cfg, cfg.CompleteTrunks(all), true)
	return c
}

// prepareTrunks prepares a list of trunks. Of those stored by the console it returns no error.
func (g *TrunkGroup) prepareTrunks(
	cfg *config.Config, all []config.SIPTrunkSettings, stored bool,
) (*TrunkChange, error) {
	c := &TrunkChange{group: g, stored: stored}
	current := g.listMembers()
	for _, t := range all {
		m, err := g.prepareMember(cfg, t, current, c)
		if err != nil && stored {
			level := slog.LevelError
			if errors.Is(err, errPortHeld) { // it is tried again
				level = slog.LevelInfo
			}
			g.log.Log(context.Background(), level, "a SIP trunk of the console cannot be opened", "name", t.Name, "err", err)
			c.faults = append(c.faults, MemberStatus{
				sip.TrunkStatus{Name: t.Name, Trunk: t.Trunk, Since: time.Now(), Err: notOpenError{err}}, t.Prefixes, false, true,
			})
			continue
		}
		if err != nil {
			c.Discard()
			return nil, err
		}
		m.Stored = stored
		c.next = append(c.next, m)
	}
	return c, nil
}

// prepareMember returns the trunk of some settings: an open one, or else a new one.
func (g *TrunkGroup) prepareMember(
	cfg *config.Config, t config.SIPTrunkSettings, current []GroupMember, c *TrunkChange,
) (m GroupMember, err error) {
	o, err := trunkOptions(cfg, t, g.version, g.log)
	if err != nil {
		return m, fmt.Errorf("sip-trunks: %s: %w", t.Name, err)
	}
	m = GroupMember{Prefixes: t.Prefixes, Registers: t.Register, Latch: t.Latch, lines: o.Lines, listen: t.Listen}
	if m.content, err = hashSettings(t, o); err != nil {
		return m, fmt.Errorf("sip-trunks: %s: %w", t.Name, err)
	}
	same := func(has GroupMember) bool {
		return has.Trunk != nil && has.TrunkName() == t.Name && has.content == m.content
	}
	if i := slices.IndexFunc(current, same); i >= 0 {
		m.Trunk, m.stop = current[i].Trunk, current[i].stop
		return m, nil
	}
	if m.Trunk, err = openTrunk(t, o); err != nil {
		return m, c.explainOpenError(t, err)
	}
	c.opened = append(c.opened, m)
	return m, nil
}

// errPortHeld means that calls with the former settings of a trunk of the console still use its port.
var errPortHeld = errors.New("it opens when they have ended, or with another port")

// explainOpenError explains why a trunk cannot be opened beside those that are open.
func (c *TrunkChange) explainOpenError(t config.SIPTrunkSettings, err error) error {
	g := c.group
	bind, ok := errors.AsType[*net.OpError](err)
	if !ok {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, m := range slices.Concat(g.members, g.leaving) {
		if m.listen != t.Listen || config.ListenAddress(t.Listen).AddrPort().Port() == 0 {
			continue
		}
		if c.stored && (m.TrunkName() == t.Name || slices.ContainsFunc(g.leaving, m.isSame)) {
			return fmt.Errorf("sip-trunks: %s: calls with its former settings use listen %s: %w", t.Name, t.Listen, errPortHeld)
		}
		if !c.stored {
			return fmt.Errorf("sip-trunks: %s: its calls still use listen %s with the settings in force: restart, or give it "+
				"another port, or port 0", t.Name, t.Listen)
		}
	}
	return httpserver.ExplainListenError("sip-listen", t.Listen, bind)
}

// hashSettings returns a hash of all that a trunk is opened with, its password and the content of its files included.
func hashSettings(t config.SIPTrunkSettings, o sip.TrunkOptions) (sum [32]byte, err error) {
	t.Lines, t.Prefixes = 0, nil
	authority := []byte(t.Authority)
	if t.CA != "" {
		if authority, err = os.ReadFile(t.CA); err != nil {
			return sum, fmt.Errorf("sip-ca: %w", config.ExplainFile(t.CA, err))
		}
	}
	text, err := json.Marshal([]any{t, o.Password, o.PublicIP, o.Ports, o.Listen, authority})
	return sha256.Sum256(text), err
}

// Apply puts the change in force: new calls use the new trunks at once.
func (c *TrunkChange) Apply() {
	g := c.group
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, m := range c.next {
		m.SetLines(m.lines)
		if isOpened := slices.ContainsFunc(c.opened, m.isSame); isOpened {
			c.next[i] = g.startMember(m)
		} else { // it may have begun to run since
			at := slices.IndexFunc(g.members, m.isSame)
			c.next[i].stop = g.members[at].stop
		}
	}
	for _, m := range g.members {
		if !slices.ContainsFunc(c.next, m.isSame) {
			g.retireMember(m)
		}
	}
	g.members, g.faults = c.next, c.faults
}

// isSame reports whether two members are one open trunk.
func (m GroupMember) isSame(other GroupMember) bool { return m.Trunk == other.Trunk }

// TakeFreed reports, once, that a removed trunk was closed and another could not be opened.
func (g *TrunkGroup) TakeFreed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.freed || len(g.faults) == 0 {
		return false
	}
	g.freed = false
	return true
}

// ListedLines returns how many concurrent calls the settings of the trunks allow in all.
func (g *TrunkGroup) ListedLines() (lines int) {
	for _, m := range g.listMembers() {
		lines += m.lines
	}
	return lines
}

// Discard closes the trunks that were opened for a change that is not applied.
func (c *TrunkChange) Discard() {
	for _, m := range c.opened {
		_ = m.Close()
	}
}

// startMember lets a new trunk work: it takes inbound calls, and runs if the group does. The lock is held.
func (g *TrunkGroup) startMember(m GroupMember) GroupMember {
	if g.receiver != nil {
		m.ReceiveCalls(g.receiver)
	}
	g.log.Info("calls go out over a SIP trunk", "carrier", g.Name(), "name", m.TrunkName(), "trunk", m.Status().Trunk)
	return g.runMember(m)
}

// runMember runs a trunk until the group's Run or its own retirement ends. The lock is held.
func (g *TrunkGroup) runMember(m GroupMember) GroupMember {
	if g.running == nil {
		return m
	}
	ctx, cancel := context.WithCancel(g.running)
	m.stop = cancel
	g.workers.Go(func() { _ = m.Run(ctx) }) // it ends without an error
	return m
}

// retireMember takes a trunk out of use: it takes no inbound calls any more, and is closed when its calls have ended.
// The lock is held.
func (g *TrunkGroup) retireMember(m GroupMember) {
	if m.stop != nil {
		m.stop()
	}
	m.ReceiveCalls(refuseCalls)
	g.leaving = append(g.leaving, m)
	g.log.Info("a SIP trunk gets no new calls, and is closed when its calls have ended", "name", m.TrunkName())
	if m.IsIdle() {
		g.closings.Go(g.closeIdle)
	}
}

// refuseCalls is the receiver of a trunk that was removed.
func refuseCalls(_ context.Context, in carrier.IncomingCall) { in.Refuse(carrier.RefuseUnavailable) }

// closeIdle closes the removed trunks whose calls have ended.
func (g *TrunkGroup) closeIdle() {
	g.mu.Lock()
	var idle []GroupMember
	g.leaving = slices.DeleteFunc(slices.Clone(g.leaving), func(m GroupMember) bool {
		if m.IsIdle() {
			idle = append(idle, m)
			return true
		}
		return false
	})
	g.mu.Unlock()
	for _, m := range idle {
		if err := m.Close(); err != nil {
			g.log.Warn("a SIP trunk was not closed", "name", m.TrunkName(), "err", err)
			continue
		}
		g.log.Info("a SIP trunk was closed", "name", m.TrunkName())
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.freed = g.freed || len(idle) > 0
}

// leaveEvery is the interval at which trunks that were removed are closed if their calls have ended.
const leaveEvery = time.Second

// Run runs the trunks until ctx ends.
func (g *TrunkGroup) Run(ctx context.Context) error {
	g.mu.Lock()
	g.running = ctx
	running := make([]GroupMember, len(g.members))
	for i, m := range g.members {
		running[i] = g.runMember(m) //nolint:contextcheck // g.running is ctx
	}
	g.members = running
	g.mu.Unlock()
	tick := time.NewTicker(leaveEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-tick.C:
			g.closeIdle()
		case <-ctx.Done():
		}
	}
	g.mu.Lock()
	g.running = nil
	g.mu.Unlock()
	g.workers.Wait()
	return nil
}

// Close closes all trunks, also those whose calls have not ended.
func (g *TrunkGroup) Close() error {
	g.closings.Wait()
	g.mu.Lock()
	all := slices.Concat(g.members, g.leaving)
	g.mu.Unlock()
	var closing sync.WaitGroup
	failed := make([]error, len(all))
	for i, m := range all {
		closing.Go(func() { failed[i] = m.Close() })
	}
	closing.Wait()
	return errors.Join(failed...)
}
