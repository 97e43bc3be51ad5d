package media

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/pion/rtcp"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/sdp"
)

// every is the interval between RTCP reports (RFC 3550 §6.2).
const every = int(5 * time.Second / carrier.Tick)

// rtcpReports is the state of the RTCP sender and receiver reports.
type rtcpReports struct {
	name  string // CNAME; random as in RFC 7022
	due   int    // ticks
	asked uint32 // middle 32 bits of the NTP time in the remote side's last report
	at    time.Time
	trip  time.Duration
}

func newReports() rtcpReports {
	return rtcpReports{name: fmt.Sprintf("%016x", rand.Uint64()), due: 1 + rand.IntN(every)}
}

// makeReport returns a report when its interval has passed.
func (s *MediaSession) makeReport(now time.Time) []byte {
	if s.reports.due--; s.reports.due > 0 {
		return nil
	}
	s.reports.due = every
	ssrc, reception := s.out.header.SSRC, s.receptionReports(now)
	first := rtcp.Packet(&rtcp.ReceiverReport{SSRC: ssrc, Reports: reception})
	if s.out.sent > s.out.reported {
		first = &rtcp.SenderReport{
			SSRC: ssrc, NTPTime: ntpTime(now), RTPTime: s.out.header.Timestamp,
			PacketCount: uint32(s.out.sent), OctetCount: uint32(s.out.octets), Reports: reception,
		}
	}
	s.out.reported = s.out.sent
	plain, err := rtcp.Marshal([]rtcp.Packet{first, rtcp.NewCNAMESourceDescription(ssrc, s.reports.name)})
	if err != nil || s.out.context == nil {
		return plain
	}
	sealed, err := s.out.context.EncryptRTCP(nil, plain, nil)
	if err != nil {
		return nil
	}
	return sealed
}

// receptionReports returns our reception statistics.
func (s *MediaSession) receptionReports(now time.Time) []rtcp.ReceptionReport {
	from := &s.in.source
	if !from.known {
		return nil
	}
	r := rtcp.ReceptionReport{
		SSRC:               from.ssrc,
		LastSequenceNumber: from.highest,
		Jitter:             from.jitter / 16 * clockFactor(s.stream.Codec),
		FractionLost:       from.lostFraction(),
		TotalLost:          min(from.expectedPackets()-min(from.received, from.expectedPackets()), 1<<23-1),
	}
	if !s.reports.at.IsZero() {
		r.LastSenderReport, r.Delay = s.reports.asked, uint32(now.Sub(s.reports.at)*65536/time.Second)
	}
	return []rtcp.ReceptionReport{r}
}

// takeRTCP handles one RTCP datagram. BYE is ignored: SIP ends a call.
func (s *MediaSession) takeRTCP(b []byte, from netip.AddrPort) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := unmapAddress(from).Addr()
	isPeer := s.latch.isPeer(a) || a == s.stream.Reports.Addr()
	if isPeer && s.started && s.err == nil && s.readReports(b, time.Now()) {
		s.latch.noteAnswer(a)
	}
}

// readReports parses reports, and reports whether they are valid.
func (s *MediaSession) readReports(b []byte, now time.Time) bool {
	if s.in.reports != nil {
		if len(b) < 8 {
			return false
		}
		opened, err := s.in.reports.openRTCP(b, binary.BigEndian.Uint32(b[4:]))
		if err != nil {
			s.forged++
			return false
		}
		b = opened
	}
	packets, err := rtcp.Unmarshal(b)
	if err != nil {
		return false
	}
	for _, p := range packets {
		switch p := p.(type) {
		case *rtcp.SenderReport:
			s.reports.asked, s.reports.at = uint32(p.NTPTime>>16), now
			s.noteRemoteReports(p.Reports, now)
		case *rtcp.ReceiverReport:
			s.noteRemoteReports(p.Reports, now)
		}
	}
	return true
}

// noteRemoteReports stores the remote side's statistics of our packets. Round-trip time as in RFC 3550, figure 2.
func (s *MediaSession) noteRemoteReports(all []rtcp.ReceptionReport, now time.Time) {
	for _, r := range all {
		if r.SSRC != s.out.header.SSRC {
			continue
		}
		s.quality.noteReception(r.LastSequenceNumber, int64(int32(r.TotalLost<<8)>>8), r.Jitter/clockFactor(s.out.codec))
		trip := uint32(ntpTime(now)>>16) - r.LastSenderReport - r.Delay
		if r.LastSenderReport != 0 && int32(trip) >= 0 {
			s.reports.trip = time.Duration(trip) * time.Second / 65536
		}
	}
}

// clockFactor returns the units of a codec's RTP time stamps in 1/8000 s.
func clockFactor(c sdp.Codec) uint32 { return uint32(c.ClockRate() / carrier.Rate) }

// ntpTime converts a time to NTP format: seconds since 1900, in 2^-32 s.
func ntpTime(t time.Time) uint64 {
	const since = 2208988800 // from 1900 to 1970
	return uint64(t.Unix()+since)<<32 | uint64(t.Nanosecond())<<32/1e9
}
