package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"time"

	"munadi/packaging/launcher"
)

// telephones is where SIPp answers; its numbers are those of the carrier's tests.
const (
	telephones = "127.77.0.2"
	scenario   = "appliance/carrier/sip/testdata/numbers.xml"
)

// benchTrunks holds an increasing number of conversations over SIP with SIPp, whose people repeatedly confirm the
// appointment, with real speech over RTP.
func benchTrunks(b *callBench) ([]figureRow, error) {
	if _, err := exec.LookPath("sipp"); err != nil {
		return []figureRow{{"calls over SIP", "–", "not measured: no sipp (Debian: sip-tester)"}}, nil
	}
	people, err := os.ReadFile(scenario)
	if err != nil {
		return nil, err
	}
	ends, err := launcher.StartSIPp(b.dir, telephones, string(people))
	if err != nil {
		return nil, err
	}
	defer ends()
	over := make(chan soundStats, 1000)
	b.line = func(text string) {
		if s, ok := soundOf(text); ok {
			over <- s
		}
	}
	if _, err := b.startAppliance(
		"--carrier", "sip", "--sip-trunk", "sip:"+telephones, "--sip-from", "966112345678", "--lines", "200",
	); err != nil {
		return nil, err
	}
	var rows []figureRow
	for _, n := range []int{10, 40, 140} {
		r, err := b.holdTrunkCalls(n, over)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// soundStats are the logged audio statistics of an ended call, in packets of 20 ms.
type soundStats struct{ sent, received, lost, late float64 }

var overLine = regexp.MustCompile(`msg="SIP call over" .* sent=(\d+) received=(\d+) lost=(\d+) late=(\d+)`)

func soundOf(line string) (soundStats, bool) {
	found := overLine.FindStringSubmatch(line)
	if found == nil {
		return soundStats{}, false
	}
	var n [4]float64
	for i := range n {
		n[i], _ = strconv.ParseFloat(found[i+1], 64) // digits
	}
	return soundStats{n[0], n[1], n[2], n[3]}, true
}

// holdTrunkCalls holds n conversations.
func (b *callBench) holdTrunkCalls(n int, over <-chan soundStats) (figureRow, error) {
	began := b.process.ProcessorTime()
	var ids []string
	for i := range n {
		c, err := b.bookCall(fmt.Sprintf("+96652%05d01", i), time.Time{})
		if err != nil {
			return figureRow{}, err
		}
		ids = append(ids, c.ID)
	}
	completed, seconds := 0, 0.0
	for _, id := range ids {
		c, err := b.awaitCall(id)
		if err != nil {
			return figureRow{}, err
		}
		if c.Status == "completed" && c.Duration != nil {
			completed++
			seconds += c.EndedAt.Sub(*c.StartedAt).Seconds()
		}
	}
	var all soundStats
	for range n {
		select {
		case s := <-over:
			all.sent, all.received, all.late = all.sent+s.sent, all.received+s.received, all.late+s.late+s.lost
		case <-time.After(time.Minute):
			return figureRow{}, errors.New("not every call is over")
		}
	}
	spent := (b.process.ProcessorTime() - began).Seconds()
	return figureRow{
		fmt.Sprintf("%d calls over SIP at once (SIPp, G.711): packets of sound that left in time", n),
		fmt.Sprintf("%.2f %%", min(100, 100*all.sent/(50*seconds))),
		fmt.Sprintf("%d of %d completed; %.2f %% of theirs late or lost; %.1f %% of a processor each",
			completed, n, 100*all.late/max(1, all.received), 100*spent/max(1, seconds)),
	}, nil
}
