package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"munadi/appliance/tts/voicepack"
	"munadi/assets/prompts"
	"munadi/engine/audio"
)

const (
	phoneAddress = "127.77.0.3:5060"
	frameSamples = 160                    // samples of a packet: 20 ms
	voicedLevel  = 150                    // RMS from which a packet is voiced: -47 dBFS, 24 dB below a prompt
	promptOver   = 700 * time.Millisecond // of silence after a prompt
	thinkTime    = 500 * time.Millisecond // beyond that, until the person answers
)

// turnQuestion is a question and the clips that answer it.
type turnQuestion struct {
	kind, step string
	clips      []string
}

// turnQuestions are asked one after another in each call. Their answers are complete.
func turnQuestions() []turnQuestion {
	yes := `"say":"هل تؤكدون الحضور في هذا الموعد","slot":{"type":"yes_no",`
	day := `"say":"أي يوم يناسبكم","slot":{"type":"date",`
	hour := `"say":"أي ساعة تناسبكم","slot":{"type":"time",`
	code := `"say":"كم وجبة تريد","slot":{"type":"number","digits":4,`
	size := `"say":"أي حجم صغير أم وسط أم كبير","slot":{"type":"choice","choices":[` +
		`{"value":"s","phrases":["صغير"]},{"value":"m","phrases":["وسط"]},{"value":"l","phrases":["كبير"]}],`
	return []turnQuestion{
		{"yes_no", yes, []string{"callee.yes_confirm"}},
		{"date", day, []string{"callee.sunday"}},
		{"digits", code, []string{"number.2", "number.7", "number.4", "number.9"}},
		{"yes_no", yes, []string{"callee.sure"}},
		{"time", hour, []string{"callee.five_pm"}},
		{"choice", size, []string{"callee.large"}},
		{"yes_no", yes, []string{"callee.cannot_come"}},
		{"date", day, []string{"callee.thursday"}},
		{"time", hour, []string{"callee.ten_am"}},
		{"digits", code, []string{"number.3", "number.5", "number.1", "number.6"}},
	}
}

// turnScenario asks the questions, each once.
func turnScenario() string {
	var steps []string
	for i, q := range turnQuestions() {
		steps = append(steps, fmt.Sprintf(`{"id":"q%d","type":"ask","max_reasks":0,%s"name":"a%d"}}`, i, q.step, i))
	}
	return `{"id":"turns","name":"turns","language":"ar","answering_machine":"off","steps":[` + strings.Join(steps, ",") +
		`,{"id":"bye","type":"end","say":"شكرا جزيلا مع السلامة"}]}`
}

// turnGap is the time from the last speech packet that a person sent to the first voiced packet that came back.
type turnGap struct {
	kind string
	gap  time.Duration
}

// benchTurns measures how long people wait for a reply over SIP, alone and beside others.
func benchTurns(b *callBench) ([]figureRow, error) {
	speaker, err := newAnsweringPerson()
	if err != nil {
		return nil, err
	}
	phone, err := startTelephone(phoneAddress, speaker.holdCall)
	if err != nil {
		return nil, err
	}
	defer phone.stopTelephone()
	if _, err := b.startAppliance(
		"--carrier", "sip", "--sip-trunk", "sip:"+phoneAddress, "--sip-from", "966112345678", "--lines", "200",
	); err != nil {
		return nil, err
	}
	if err := b.requestJSON(http.MethodPost, "/scenarios", apiKey, rawJSON(turnScenario()), nil); err != nil {
		return nil, err
	}
	var rows []figureRow
	for _, c := range []struct{ calls, rounds int }{{1, 3}, {50, 1}} {
		speaker.takeGaps()
		completed := 0
		for round := range c.rounds {
			n, err := b.holdTurnCalls(c.calls, round)
			if err != nil {
				return nil, err
			}
			completed += n
		}
		rows = append(rows, gapRows(speaker.takeGaps(), c.calls, completed)...)
	}
	return rows, nil
}

// rawJSON is a body that is JSON already.
type rawJSON string

// MarshalJSON implements [json.Marshaler].
func (r rawJSON) MarshalJSON() ([]byte, error) { return []byte(r), nil }

// holdTurnCalls holds n calls at once and returns how many were completed.
func (b *callBench) holdTurnCalls(n, round int) (completed int, err error) {
	var ids []string
	for i := range n {
		var c benchCall
		body := map[string]any{
			"phone_number": fmt.Sprintf("+96653%d%04d01", round, i), "scenario_id": "turns",
			"retry": map[string]any{"max_attempts": 1},
		}
		if err := b.requestJSON(http.MethodPost, "/calls", apiKey, body, &c); err != nil {
			return 0, err
		}
		ids = append(ids, c.ID)
	}
	for _, id := range ids {
		c, err := b.awaitCall(id)
		if err != nil {
			return 0, err
		}
		if c.Status == "completed" {
			completed++
		}
	}
	return completed, nil
}

// gapRows sums the gaps up: all of them, and by the kind of the answer.
func gapRows(gaps []turnGap, calls, completed int) []figureRow {
	what := fmt.Sprintf("%d calls over SIP at once: last packet of speech sent to first voiced packet of the reply", calls)
	row := func(name string, some []time.Duration) figureRow {
		slices.Sort(some)
		at := func(share float64) int64 { return some[min(len(some)-1, int(share*float64(len(some))))].Milliseconds() }
		return figureRow{
			name, fmt.Sprintf("%d ms, %d ms", at(.5), at(.95)),
			fmt.Sprintf("median, 95th percentile of %d; 450 ms, 600 ms; %d calls completed, %s",
				len(some), completed, machineLoad()),
		}
	}
	byKind := map[string][]time.Duration{}
	var all []time.Duration
	var kinds []string
	for _, g := range gaps {
		if byKind[g.kind] == nil {
			kinds = append(kinds, g.kind)
		}
		byKind[g.kind] = append(byKind[g.kind], g.gap)
		all = append(all, g.gap)
	}
	if len(all) == 0 {
		return []figureRow{{what, "–", "no reply came"}}
	}
	rows := []figureRow{row(what, all)}
	slices.Sort(kinds)
	for _, kind := range kinds {
		rows = append(rows, row("… after an answer of type "+kind, byKind[kind]))
	}
	return rows
}

// answeringPerson answers the questions of a call in their order.
type answeringPerson struct {
	answers [][]int16 // by question

	mu   sync.Mutex
	gaps []turnGap
}

func newAnsweringPerson() (*answeringPerson, error) {
	pack, err := voicepack.OpenPack(prompts.IndexText(), prompts.VoiceBytes(), prompts.WideVoiceBytes())
	if err != nil {
		return nil, err
	}
	p := &answeringPerson{}
	for _, q := range turnQuestions() {
		var sound []int16
		for _, name := range q.clips {
			clip, ok := pack.Clip(name)
			if !ok {
				return nil, fmt.Errorf("no clip %s", name)
			}
			sound = append(sound, pack.PCM(clip)...)
		}
		p.answers = append(p.answers, sound)
	}
	return p, nil
}

func (p *answeringPerson) takeGaps() []turnGap {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.gaps
	p.gaps = nil
	return all
}

// noteGap records a gap after an answer.
func (p *answeringPerson) noteGap(question int, gap time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gaps = append(p.gaps, turnGap{turnQuestions()[question].kind, gap})
}

// holdCall implements the person of a [telephone]: it waits until each prompt is over, answers it, and takes the time
// until the reply.
func (p *answeringPerson) holdCall(c *phoneCall) {
	heard := make(chan time.Time, 256) // when voiced packets came
	c.reading.Go(func() { hearVoice(c, heard) })
	out := rtpSender{call: c}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	var voiced, spoke time.Time // last voiced packet that came; last one that was sent since
	var saying []int16
	question, prompted, waiting := 0, false, false
	for {
		select {
		case <-c.done:
			return
		case at := <-heard:
			if waiting && len(saying) == 0 {
				p.noteGap(question-1, at.Sub(spoke))
				waiting = false
			}
			voiced, prompted = at, true
		case now := <-tick.C:
			if len(saying) == 0 && prompted && !waiting && now.Sub(voiced) >= promptOver+thinkTime && question < len(p.answers) {
				saying, prompted, waiting = p.answers[question], false, true
				question++
			}
			frame := saying[:min(len(saying), frameSamples)]
			saying = saying[len(frame):]
			out.sendFrame(frame)
			if levelOf(frame) >= voicedLevel {
				spoke = time.Now()
			}
		}
	}
}

// hearVoice reports the arrival of voiced packets.
func hearVoice(c *phoneCall, heard chan<- time.Time) {
	buffer := make([]byte, 2048)
	for {
		n, at, err := readStamped(c.sound, buffer)
		if err != nil {
			return
		}
		c.arrivals.notePacket(buffer[:n], at)
		if n <= 12 || buffer[1]&0x7f != 0 {
			continue
		}
		var pcm []int16
		for _, v := range buffer[12:n] {
			pcm = append(pcm, audio.DecodeMuLaw(v))
		}
		if levelOf(pcm) >= voicedLevel {
			select {
			case heard <- at:
			case <-c.done:
				return
			}
		}
	}
}

// levelOf returns the root mean square of a frame.
func levelOf(pcm []int16) float64 {
	sum := 0.0
	for _, v := range pcm {
		sum += float64(v) * float64(v)
	}
	return math.Sqrt(sum / float64(max(1, len(pcm))))
}

// rtpSender sends the person's sound.
type rtpSender struct {
	call *phoneCall
	n    uint32 // frames sent
}

// sendFrame sends up to 20 ms of sound, and silence for the rest.
func (s *rtpSender) sendFrame(pcm []int16) {
	packet := make([]byte, 12+frameSamples)
	packet[0] = 0x80
	binary.BigEndian.PutUint16(packet[2:], uint16(s.n))
	binary.BigEndian.PutUint32(packet[4:], s.n*frameSamples)
	binary.BigEndian.PutUint32(packet[8:], 1)
	for i := range frameSamples {
		v := int16(0)
		if i < len(pcm) {
			v = pcm[i]
		}
		packet[12+i] = audio.EncodeMuLaw(v)
	}
	_, _ = s.call.sound.WriteToUDPAddrPort(packet, s.call.to)
	s.n++
}
