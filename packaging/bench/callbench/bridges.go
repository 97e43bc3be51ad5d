package main

import (
	"encoding/binary"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	bridgedPrefix = "+96654" // numbers of people whose calls are joined with staff
	staffNumber   = "+966112000001"
	frameTime     = 20 * time.Millisecond
	// playable is how late a packet may come after the earliest ones: what a jitter buffer of 60 ms holds.
	playable = 60 * time.Millisecond
	// joinTime is how long all calls may take to be up: five new ones a second, two legs each.
	joinTime = 2 * time.Minute
)

// bridgeScenario joins the call with a member of staff at once.
const bridgeScenario = `{"id":"joined","name":"joined","language":"ar","answering_machine":"off","steps":[` +
	`{"id":"t","type":"transfer","say":"لحظة","to":"` + staffNumber + `","on_failure":"bye"},` +
	`{"id":"bye","type":"end","say":"شكرا جزيلا مع السلامة"}]}`

// arrivalMeter counts the packets of one call that came in time to be played. It belongs to the call's reader.
type arrivalMeter struct {
	first, last uint32        // RTP time stamps, in samples
	begun       time.Time     // of the first packet
	base        time.Duration // least lateness so far: that of a packet without delay
	packets     int
	late        int
}

// notePacket counts a packet.
func (m *arrivalMeter) notePacket(packet []byte, at time.Time) {
	if len(packet) <= 12 || packet[1]&0x7f != 0 {
		return
	}
	stamp := binary.BigEndian.Uint32(packet[4:])
	if m.packets++; m.packets == 1 {
		m.first, m.begun = stamp, at
	}
	m.last = stamp
	lateness := at.Sub(m.begun) - time.Duration((stamp-m.first)/frameSamples)*frameTime
	m.base = min(m.base, lateness)
	if lateness-m.base > playable {
		m.late++
	}
}

// packetCount says what became of the packets that were due.
type packetCount struct{ due, late, missing int }

// countPackets counts the packets that were due, that came too late, and that did not come.
func (m *arrivalMeter) countPackets() packetCount {
	if m.packets == 0 {
		return packetCount{}
	}
	due := int((m.last-m.first)/frameSamples) + 1
	return packetCount{due: due, late: m.late, missing: max(0, due-m.packets)}
}

// bridgePhone holds both sides of bridged calls, and the people of others.
type bridgePhone struct {
	others *answeringPerson

	mu       sync.Mutex
	packets  [2]packetCount // of bridged calls, and of others
	answered [2]int         // people of bridged calls, and staff
}

// holdCall implements the person of a [telephone].
func (p *bridgePhone) holdCall(c *phoneCall) {
	of, staff := 1, strings.Contains(c.called, staffNumber[1:])
	if staff || strings.Contains(c.called, bridgedPrefix[1:]) {
		of = 0
		p.mu.Lock()
		if staff {
			p.answered[1]++
		} else {
			p.answered[0]++
		}
		p.mu.Unlock()
		speakSteadily(c)
	} else {
		p.others.holdCall(c)
	}
	_ = c.sound.Close()
	c.reading.Wait()
	n := c.arrivals.countPackets()
	p.mu.Lock()
	defer p.mu.Unlock()
	all := &p.packets[of]
	all.due, all.late, all.missing = all.due+n.due, all.late+n.late, all.missing+n.missing
}

func (p *bridgePhone) joined() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return min(p.answered[0], p.answered[1])
}

// speakSteadily sends a steady sound until the call ends, and counts what comes back.
func speakSteadily(c *phoneCall) {
	heard := make(chan time.Time, 256)
	c.reading.Go(func() { hearVoice(c, heard) })
	var frame [frameSamples]int16
	for i := range frame {
		frame[i] = int16(2000 * (i%16 - 8))
	}
	out := rtpSender{call: c}
	for due := time.Now(); ; due = due.Add(frameTime) {
		select {
		case <-c.done:
			return
		case <-time.After(time.Until(due)):
			out.sendFrame(frame[:])
		}
		for len(heard) > 0 {
			<-heard
		}
	}
}

// benchBridges holds bridged calls among others at once, and counts at their telephones the packets that came in time
// to be played. Each session is refreshed every 45 s (RFC 4028).
func benchBridges(b *callBench) ([]figureRow, error) {
	people, err := newAnsweringPerson()
	if err != nil {
		return nil, err
	}
	p := &bridgePhone{others: people}
	phone, err := startTelephone(phoneAddress, p.holdCall)
	if err != nil {
		return nil, err
	}
	phone.timed = true
	defer phone.stopTelephone()
	if _, err := b.startAppliance(
		"--carrier", "sip", "--sip-trunk", "sip:"+phoneAddress, "--sip-from", "966112345678", "--sip-transfer", "bridge",
		"--lines", "400", "--sip-calls-per-second", "20",
	); err != nil {
		return nil, err
	}
	for _, s := range []string{turnScenario(), bridgeScenario} {
		if err := b.requestJSON(http.MethodPost, "/scenarios", apiKey, rawJSON(s), nil); err != nil {
			return nil, err
		}
	}
	return b.holdBridges(p, phone)
}

// holdBridges joins the bridged calls, keeps the others up for as long, and ends all of them.
func (b *callBench) holdBridges(p *bridgePhone, phone *telephone) ([]figureRow, error) {
	for i := range b.bridges {
		if err := b.bookOnce(fmt.Sprintf("%s%06d1", bridgedPrefix, i), "joined"); err != nil {
			return nil, err
		}
	}
	var talks sync.WaitGroup
	over := make(chan struct{})
	faults := make(chan error, b.calls)
	for i := range b.calls - b.bridges {
		talks.Go(func() {
			if err := b.keepTalking(i, over); err != nil {
				faults <- err
			}
		})
	}
	for until := time.Now().Add(joinTime); p.joined() < b.bridges; time.Sleep(frameTime) {
		if time.Now().After(until) {
			return nil, fmt.Errorf("%d of %d calls are joined", p.joined(), b.bridges)
		}
	}
	spent, own := b.process.ProcessorTime(), ownProcessorTime()
	time.Sleep(b.hold)
	share := (b.process.ProcessorTime() - spent).Seconds() / b.hold.Seconds()
	peers := (ownProcessorTime() - own).Seconds() / b.hold.Seconds()
	close(over)
	most := phone.countCalls()
	phone.stopTelephone()
	talks.Wait()
	if len(faults) > 0 {
		return nil, <-faults
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	row := func(what string, of int) figureRow {
		n := p.packets[of]
		return figureRow{
			what, fmt.Sprintf("%.3f %%", 100*float64(n.due-n.late-n.missing)/float64(max(1, n.due))),
			fmt.Sprintf("99.9 %%; of %d packets %d late, %d not sent; %d lines at the end, %.0f %% of a processor "+
				"beside %.0f %% of the telephones, %s", n.due, n.late, n.missing, most, 100*share, 100*peers, machineLoad()),
		}
	}
	bridged := fmt.Sprintf("%d bridged calls among %d at once, %v: packets at both telephones within %v",
		b.bridges, b.calls, b.hold, playable)
	rows := []figureRow{row(bridged, 0)}
	if b.calls > b.bridges {
		rows = append(rows, row("… the same of the other calls", 1))
	}
	return rows, nil
}

// bookOnce books a call without further attempts.
func (b *callBench) bookOnce(number, scenario string) error {
	return b.requestJSON(http.MethodPost, "/calls", apiKey, map[string]any{
		"phone_number": number, "scenario_id": scenario, "retry": map[string]any{"max_attempts": 1},
	}, nil)
}

// keepTalking keeps one conversation up after another until over is closed.
func (b *callBench) keepTalking(i int, over <-chan struct{}) error {
	for round := 0; ; round++ {
		var c benchCall
		if err := b.requestJSON(http.MethodPost, "/calls", apiKey, map[string]any{
			"phone_number": fmt.Sprintf("+96653%04d%03d", round, i), "scenario_id": "turns",
			"retry": map[string]any{"max_attempts": 1},
		}, &c); err != nil {
			return err
		}
		for c.EndedAt == nil {
			select {
			case <-over:
				return nil
			case <-time.After(2 * time.Second):
			}
			if err := b.requestJSON(http.MethodGet, "/calls/"+c.ID, apiKey, nil, &c); err != nil {
				return err
			}
		}
	}
}
