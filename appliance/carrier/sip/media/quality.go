package media

import (
	"math"
	"net/netip"
	"time"

	"munadi/appliance/carrier"
	"munadi/store/call"
)

const (
	// qualityTicks is the duration of a quality sample: as long as the interval of RTCP reports.
	qualityTicks = int(5 * time.Second / carrier.Tick)
	// mostSamples is the maximum number of samples of a call: 20 minutes. Beyond it each lasts twice as long.
	mostSamples = 240
	// packetDelay is the delay of packetizing, and remoteBuffer an assumption about the remote side's jitter buffer.
	packetDelay  = carrier.Tick
	remoteBuffer = 60 * time.Millisecond
)

// qualityMeter samples the media quality of a call.
type qualityMeter struct {
	ticks   int // of the current sample
	length  int // ticks of a sample; 0: qualityTicks
	samples []call.QualitySample
	before  qualityCounters // at the start of the current sample
	peer    peerReception   // in the remote side's last report
	since   peerReception   // the same at the start of the current sample
	heard   bool            // a report came in the current sample
}

// qualityCounters are the packets of our reception.
type qualityCounters struct{ received, lost, late uint64 }

// peerReception is the remote side's reception of our packets (RFC 3550 §6.4.1).
type peerReception struct {
	known   bool
	highest uint32 // extended sequence number
	lost    int64  // may decrease: duplicates count as received
	jitter  uint32 // in 1/8000 s
}

// sampleQuality ends a quality sample when its time has passed; it is called once for each frame.
func (s *MediaSession) sampleQuality() {
	q := &s.quality
	if q.length == 0 {
		q.length = qualityTicks
	}
	if q.ticks++; q.ticks >= q.length {
		s.endSample()
	}
}

// endSample ends the current quality sample.
func (s *MediaSession) endSample() {
	q := &s.quality
	one := call.QualitySample{
		At:        (time.Duration(s.made-q.ticks) * carrier.Tick).Seconds(),
		Seconds:   (time.Duration(q.ticks) * carrier.Tick).Seconds(),
		RoundTrip: float64(s.reports.trip.Microseconds()) / 1000,
	}
	one.Inbound, one.Outbound = s.inboundQuality(), s.outboundQuality()
	q.ticks, q.before, q.since, q.heard = 0, s.receptionCounters(), q.peer, false
	if q.samples = append(q.samples, one); len(q.samples) > mostSamples {
		q.samples, q.length = mergePairs(q.samples), 2*q.length
	}
}

func (s *MediaSession) receptionCounters() qualityCounters {
	return qualityCounters{s.in.received, s.in.source.lostPackets(), s.in.jitter.late}
}

// inboundQuality returns the quality of what we received in the current sample; nil if nothing was expected.
func (s *MediaSession) inboundQuality() *call.MediaQuality {
	now, before := s.receptionCounters(), s.quality.before
	received, lost := now.received-before.received, float64(now.lost)-float64(before.lost)
	expected := float64(received) + max(lost, 0)
	if expected == 0 {
		return nil
	}
	buffer := samplesDuration(uint32(s.in.jitter.depth.targetDelay()))
	unplayed := max(lost, 0) + float64(now.late-before.late)
	return s.rateQuality(unplayed/expected, samplesDuration(s.in.source.jitter/16), buffer)
}

// outboundQuality returns the quality of what the remote side received in the current sample, by its reports.
func (s *MediaSession) outboundQuality() *call.MediaQuality {
	now, before := s.quality.peer, s.quality.since
	expected := int64(int32(now.highest - before.highest))
	if !s.quality.heard || !before.known || expected <= 0 {
		return nil
	}
	return s.rateQuality(float64(now.lost-before.lost)/float64(expected), samplesDuration(now.jitter), remoteBuffer)
}

// rateQuality rates a direction with a jitter buffer. loss is clamped, as counters may be of packets on their way.
func (s *MediaSession) rateQuality(loss float64, jitter, buffer time.Duration) *call.MediaQuality {
	loss = min(max(loss, 0), 1)
	return &call.MediaQuality{
		Loss: loss, Jitter: float64(jitter.Microseconds()) / 1000,
		MOS: estimateMOS(loss, s.reports.trip/2+buffer+packetDelay),
	}
}

// noteReception notes the remote side's report of our packets. The first one is where the counting begins.
func (q *qualityMeter) noteReception(highest uint32, lost int64, jitter uint32) {
	q.peer, q.heard = peerReception{true, highest, lost, jitter}, true
	if !q.since.known {
		q.since = q.peer
	}
}

// mergePairs halves samples: each becomes the mean of two.
func mergePairs(samples []call.QualitySample) []call.QualitySample {
	merged := samples[:0]
	for i := 0; i+1 < len(samples); i += 2 {
		a, b := samples[i], samples[i+1]
		merged = append(merged, call.QualitySample{
			At: a.At, Seconds: a.Seconds + b.Seconds, Inbound: meanQuality(a.Inbound, b.Inbound),
			Outbound: meanQuality(a.Outbound, b.Outbound), RoundTrip: max(a.RoundTrip, b.RoundTrip),
		})
	}
	if len(samples)%2 == 1 {
		merged = append(merged, samples[len(samples)-1])
	}
	return merged
}

func meanQuality(a, b *call.MediaQuality) *call.MediaQuality {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return &call.MediaQuality{Loss: (a.Loss + b.Loss) / 2, Jitter: (a.Jitter + b.Jitter) / 2, MOS: (a.MOS + b.MOS) / 2}
}

// Quality returns the quality samples so far, with the last one if it has lasted a second.
func (s *MediaSession) Quality() []call.QualitySample {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.quality.ticks >= int(time.Second/carrier.Tick) {
		s.endSample()
	}
	return append([]call.QualitySample{}, s.quality.samples...)
}

// The E-model's default values (ITU-T G.107 table 3), and the packet-loss robustness of G.711 with concealment
// (ITU-T G.113 appendix I).
const (
	defaultRating  = 93.2 // R without delay and loss
	lossRobustness = 25.1 // Bpl
	worstCodec     = 95.0 // the equipment impairment that total loss approaches
)

// estimateMOS estimates the mean opinion score of one direction by the E-model (ITU-T G.107): loss is the share of
// packets that are not played, delay the one from mouth to ear. Losses count as random, echo as cancelled. G.722 and
// Opus are rated as G.711: what the network does to a call, not how wide its band is.
func estimateMOS(loss float64, delay time.Duration) float64 {
	percent := 100 * loss
	rating := defaultRating - delayImpairment(delay) - worstCodec*percent/(percent+lossRobustness)
	switch {
	case rating <= 0:
		return 1
	case rating >= 100:
		return 4.5
	}
	return max(1, 1+0.035*rating+rating*(rating-60)*(100-rating)*7e-6)
}

// delayImpairment is Idd of G.107 §7.4: the impairment by too long an absolute delay.
func delayImpairment(delay time.Duration) float64 {
	const free = 100 * time.Millisecond
	if delay <= free {
		return 0
	}
	x := math.Log2(float64(delay) / float64(free))
	return 25 * (math.Pow(1+math.Pow(x, 6), 1.0/6) - 3*math.Pow(1+math.Pow(x/3, 6), 1.0/6) + 2)
}

// MediaStats are the media measurements of a call.
type MediaStats struct {
	Codec     string // last negotiated codec; empty before
	Encrypted bool

	Sent, Received, Lost, Late uint64        // packets; Late ones arrived after their playout time
	Jitter                     time.Duration // interarrival jitter (RFC 3550 §6.4.1)

	Foreign uint64 // packets from addresses that were not negotiated
	// Stranger is the last of those addresses; zero without one.
	Stranger netip.Addr
	Forged   uint64 // packets that failed SRTP authentication or were replayed
	Ignored  uint64 // datagrams that are not RTP, or have an unexpected payload type or SSRC
}

// Stats returns the measurements so far.
func (s *MediaSession) Stats() MediaStats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return MediaStats{
		Codec: s.codecName(), Encrypted: s.stream.Key != nil,
		Sent: s.out.sent, Received: s.in.received, Lost: s.in.source.lostPackets(), Late: s.in.jitter.late,
		Jitter:  samplesDuration(s.in.source.jitter / 16),
		Foreign: s.foreign, Stranger: s.stranger, Forged: s.forged, Ignored: s.ignored,
	}
}

func samplesDuration(n uint32) time.Duration { return time.Duration(n) * time.Millisecond / ms }

// codecName returns the name of the negotiated codec.
func (s *MediaSession) codecName() string {
	if !s.started {
		return ""
	}
	return s.stream.Codec.String()
}

// Lasted returns how long the media has been up since the answer, whether or not frames were read.
func (s *MediaSession) Lasted() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Duration(s.made) * carrier.Tick
}
