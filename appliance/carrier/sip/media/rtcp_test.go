package media_test

import (
	"net"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pion/rtcp"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
)

// sealedReport is a receiver report in SRTCP.
func sealedReport(t testing.TB, key []byte, ssrc uint32) []byte {
	t.Helper()
	b, err := rtcp.Marshal([]rtcp.Packet{&rtcp.ReceiverReport{SSRC: ssrc}})
	if err != nil {
		t.Fatal(err)
	}
	if b, err = newContext(t, key).EncryptRTCP(nil, b, nil); err != nil {
		t.Fatal(err)
	}
	return b
}

// lastPort is the last port pair that was taken. No two tests use the same pair, since ffmpeg takes it over from its
// test.
var lastPort atomic.Uint32

// withReports moves the peer to a port pair and returns the RTCP port.
func withReports(t *testing.T, p *mediaPeer) *net.UDPConn {
	t.Helper()
	for {
		port := uint16(49100 + lastPort.Add(2))
		conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(loopback, port)))
		if err != nil {
			continue
		}
		reports, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(loopback, port+1)))
		if err != nil {
			_ = conn.Close()
			continue
		}
		t.Cleanup(func() { _, _ = conn.Close(), reports.Close() })
		p.conn, p.from = conn, netip.AddrPortFrom(loopback, port)
		return reports
	}
}

// readReport reads an RTCP report.
func readReport(t *testing.T, c *net.UDPConn, open func([]byte) ([]byte, error)) []rtcp.Packet {
	t.Helper()
	b := make([]byte, 2048)
	_ = c.SetReadDeadline(time.Now().Add(time.Minute))
	n, err := c.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	if b, err = open(b[:n]); err != nil {
		t.Fatal(err)
	}
	all, err := rtcp.Unmarshal(b)
	if err != nil || len(all) != 2 {
		t.Fatalf("%v in %v", err, all)
	}
	if name, ok := all[1].(*rtcp.SourceDescription); !ok || len(name.Chunks) != 1 || len(name.Chunks[0].Items[0].Text) != 16 {
		t.Errorf("the second packet is %v", all[1])
	}
	return all
}

func plainStream(b []byte) ([]byte, error) { return b, nil }

func reportingPeer(t *testing.T, key bool) (*media.MediaSession, *mediaPeer, *net.UDPConn) {
	t.Helper()
	s := openSession(t)
	p := newPeer(t, s)
	reports := withReports(t, p)
	l, r := localStream(), p.agreedStream()
	if key {
		l, r = keyedStream(p, ours, theirs)
		p.sealWith(theirs)
	}
	if err := s.BeginStill(l, r); err != nil {
		t.Fatal(err)
	}
	return s, p, reports
}

func TestReports(t *testing.T) {
	t.Parallel()
	s, p, conn := reportingPeer(t, false)
	var ssrc uint32
	for i := range 500 {
		if i%4 != 3 {
			p.sendAudio(make([]int16, carrier.Samples))
		} else { // a quarter is lost
			p.head.SequenceNumber++
			p.head.Timestamp += carrier.Samples
		}
		turnTicks(s, 1)
		takeFrames(t, s, 1)
		ssrc = p.nextPacket().SSRC
	}
	first, second := readReport(t, conn, plainStream), readReport(t, conn, plainStream)
	a, b := first[0].(*rtcp.SenderReport), second[0].(*rtcp.SenderReport)
	if a.SSRC != ssrc || b.PacketCount-a.PacketCount != 250 || b.RTPTime-a.RTPTime != 250*carrier.Samples ||
		b.OctetCount != b.PacketCount*carrier.Samples || b.NTPTime <= a.NTPTime {
		t.Errorf("%v then %v", a, b)
	}
	if got := time.Since(time.Unix(int64(b.NTPTime>>32)-2208988800, 0)); got < 0 || got > time.Minute {
		t.Errorf("the time in the report is %v ago", got)
	}
	r := b.Reports[0]
	if r.SSRC != 7 || r.FractionLost < 60 || r.FractionLost > 68 || r.TotalLost > b.PacketCount/4 ||
		r.TotalLost+1 < b.PacketCount/4 || r.LastSequenceNumber>>16 != 1 {
		t.Errorf("%d packets: %+v", b.PacketCount, r)
	}

	// Reports of the peer about our packets, and the round-trip time.
	p.head.SSRC = 7
	later := b.NTPTime>>16 - 65536/2 // as if sent half a second ago
	answer, err := rtcp.Marshal([]rtcp.Packet{
		&rtcp.SenderReport{SSRC: 7, NTPTime: 5 << 32, Reports: []rtcp.ReceptionReport{
			{SSRC: ssrc, TotalLost: 12, Jitter: 80, LastSenderReport: uint32(later), Delay: 65536 / 4},
			{SSRC: ssrc + 1, TotalLost: 99},
		}}, &rtcp.Goodbye{Sources: []uint32{7}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.ReceiveRTCP(answer, netip.MustParseAddrPort("127.0.0.9:5"))
	if lost, _, _ := s.PeerReport(); lost != 0 {
		t.Error("a report of an address that was not agreed on counts")
	}
	s.ReceiveRTCP(answer, netip.AddrPortFrom(loopback, 9))
	if lost, jitter, trip := s.PeerReport(); lost != 12 || jitter != 10*time.Millisecond || trip < 250*time.Millisecond || trip > time.Minute {
		t.Errorf("%d lost, jitter %v, round trip %v", lost, jitter, trip)
	}
	turnTicks(s, 250)
	takeFrames(t, s, 250) // the BYE ended nothing
	if r := readReport(t, conn, plainStream)[0].(*rtcp.SenderReport).Reports[0]; r.LastSenderReport != 5<<16 || r.Delay > 65536*60 {
		t.Errorf("after a report of the other side: %+v", r)
	}
}

// TestReportsToNamedPort checks that reports go where the other side said (RFC 3605), while its sound comes from the
// agreed address, and are taken from there.
func TestReportsToNamedPort(t *testing.T) {
	t.Parallel()
	s := openSession(t)
	p := newPeer(t, s)
	usual := withReports(t, p)
	named, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 3)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = named.Close() }()
	r := p.agreedStream()
	r.Reports = named.LocalAddr().(*net.UDPAddr).AddrPort()
	if err := s.BeginStill(localStream(), r); err != nil {
		t.Fatal(err)
	}
	var ssrc uint32
	for range 260 {
		p.sendAudio(make([]int16, carrier.Samples))
		turnTicks(s, 1)
		takeFrames(t, s, 1)
		ssrc = p.nextPacket().SSRC
	}
	if got := readReport(t, named, plainStream)[0].(*rtcp.SenderReport); got.SSRC != ssrc {
		t.Errorf("reported %v", got)
	}
	_ = usual.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	if n, err := usual.Read(make([]byte, 2048)); err == nil {
		t.Errorf("%d bytes went to the port after that of the sound", n)
	}
	answer, err := rtcp.Marshal([]rtcp.Packet{&rtcp.ReceiverReport{SSRC: 7, Reports: []rtcp.ReceptionReport{{SSRC: ssrc, TotalLost: 12}}}})
	if err != nil {
		t.Fatal(err)
	}
	s.ReceiveRTCP(answer, netip.AddrPortFrom(r.Reports.Addr(), 9))
	if lost, _, _ := s.PeerReport(); lost != 12 {
		t.Errorf("of a report from there %d are lost", lost)
	}
}

// A side that sends nothing reports what it receives.
func TestReportsOnHold(t *testing.T) {
	t.Parallel()
	s, p, conn := reportingPeer(t, false)
	held := p.agreedStream()
	held.Listens = false
	if err := s.Change(localStream(), held); err != nil {
		t.Fatal(err)
	}
	p.sendAudio(make([]int16, carrier.Samples))
	turnTicks(s, 250)
	if r, ok := readReport(t, conn, plainStream)[0].(*rtcp.ReceiverReport); !ok || len(r.Reports) != 1 {
		t.Errorf("%v", r)
	}
}

func TestSecureReports(t *testing.T) {
	t.Parallel()
	s, p, conn := reportingPeer(t, true)
	for range 2 {
		p.sendAudio(make([]int16, carrier.Samples))
		turnTicks(s, 249)
	}
	turnTicks(s, 2)
	c := newContext(t, ours)
	for range 2 {
		readReport(t, conn, func(b []byte) ([]byte, error) { return c.DecryptRTCP(nil, b, nil) })
	}
	good := sealedReport(t, theirs, 7)
	s.ReceiveRTCP(good, p.from)
	if s.Stats().Forged != 0 {
		t.Error("a good report does not open")
	}
	for i, bad := range [][]byte{good, {}, good[:7], good[:12], sealedReport(t, ours, 8)} {
		if s.ReceiveRTCP(bad, p.from); i > 2 && s.Stats().Forged == 0 {
			t.Errorf("bad report %d opens", i)
		}
	}
}
