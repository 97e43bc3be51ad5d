// Package media is the media session of one call over RTP (RFC 3550): G.711, G.722 and Opus in packets of 20 ms per
// direction, plain or as SRTP, and DTMF: by RFC 4733, or in band where the remote side takes no events. It is
// independent of SIP.
//
// A [MediaSession] has three goroutines: an RTP reader, an RTCP reader, and the clock. At each tick of 20 ms the clock
// takes a frame from the jitter buffer and a frame of queued speech, sends the latter, and buffers both as a
// [carrier.Frame] until it is read. Silence is sent as packets too, to keep NAT bindings open.
//
// Ticks are due at fixed times since the answer. After a scheduling delay they are caught up one by one; packets more
// than 60 ms late are not sent, since they could not be played. Queued speech is not lost: such a tick sends nothing,
// and the RTP time stamps skip it.
//
// While the remote side holds the call, no audio is sent and queued speech waits; ticks continue.
package media

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/pion/rtp"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/sdp"
	"munadi/appliance/recovery"
)

const (
	// untaken is the duration of unread frames that ends the line. It is longer than [carrier.Unread].
	untaken = carrier.Unread + 30*time.Second
	// The RTP timeouts: the line ends after that long without a packet, unless the call is on hold or being transferred.
	answerSilence        = 5 * time.Second  // from the answer to the first packet
	lineSilence          = 10 * time.Second // later
	discontinuousSilence = 30 * time.Second // where the remote side may be silent without packets
)

// MediaSession is the media session of one call. It is safe for concurrent use.
type MediaSession struct {
	rtp, rtcp *net.UDPConn
	ended     chan struct{} // closed at the end
	wake      chan struct{} // holds a value when frames are available
	running   sync.WaitGroup

	mu      sync.Mutex
	early   *earlyListener // before the answer; nil: early media is not kept
	started bool
	turning bool      // the clock runs
	begun   time.Time // time of the answer
	err     error     // why the session ended
	local   sdp.LocalMedia
	stream  sdp.AgreedStream
	latch   symmetricLatch
	in      mediaReceiver
	out     mediaSender
	frames  frameQueue
	made    int  // frames generated
	silent  int  // on-time ticks without a packet from the remote side
	settled bool // a packet came, or the negotiation changed, since the answer
	// transferring is set while the remote side's audio may already go to the target of a transfer.
	transferring bool
	reports      rtcpReports
	quality      qualityMeter
	observe      func(late time.Duration) // nil: no observer
	packet       rtp.Packet               // last received packet

	foreign, forged, ignored uint64 // see Stats
	stranger                 netip.Addr
}

// OpenSession binds a pair of ports: an even one for RTP and the next for RTCP. Packets before Start are dropped.
func OpenSession(bind netip.Addr, ports PortRange, mode LatchMode) (*MediaSession, error) {
	data, control, err := ports.bindPair(bind)
	if err != nil {
		return nil, err
	}
	s := newSession(data, control)
	s.latch.mode = mode
	s.runAside(func() { s.readDatagrams(s.rtp, s.takeRTP) })
	s.runAside(func() { s.readDatagrams(s.rtcp, s.takeRTCP) })
	return s, nil
}

func newSession(data, control *net.UDPConn) *MediaSession {
	return &MediaSession{
		rtp: data, rtcp: control, ended: make(chan struct{}), wake: make(chan struct{}, 1),
		out: newOutgoing(), reports: newReports(),
	}
}

// runAside runs work that End waits for. A panic in it ends this call only.
func (s *MediaSession) runAside(work func()) {
	s.running.Go(func() {
		if err := recovery.RecoverPanic(func() error { work(); return nil }); err != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.endSession(&carrier.DialError{Err: fmt.Errorf("panic in the media session of the call: %w", err)})
		}
	})
}

// Port returns the local RTP port.
func (s *MediaSession) Port() uint16 { return s.rtp.LocalAddr().(*net.UDPAddr).AddrPort().Port() }

// Start starts the ticks at the answer. Without local.Receiving received audio is ignored (our own hold).
func (s *MediaSession) Start(local sdp.LocalMedia, stream sdp.AgreedStream) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.startMedia(local, stream); err != nil {
		return err
	}
	s.turning = true
	c := tickClock{start: s.begun}
	s.runAside(func() { c.runTicks(s.ended, s.makeTick) })
	return nil
}

// Observe sets a function that receives the lateness of each tick; call it before Start.
func (s *MediaSession) Observe(tick func(late time.Duration)) { s.observe = tick }

// startMedia is Start without the clock.
func (s *MediaSession) startMedia(local sdp.LocalMedia, stream sdp.AgreedStream) error {
	switch {
	case s.err != nil:
		return s.err
	case s.started:
		return errors.New("the sound of the call has begun already")
	}
	if err := s.applyAgreement(local, stream); err != nil {
		return err
	}
	s.started, s.begun, s.early = true, time.Now(), nil
	return nil
}

// Change applies the result of a re-INVITE. An unchanged address stays latched, and unchanged keys keep their SRTP
// state.
func (s *MediaSession) Change(local sdp.LocalMedia, stream sdp.AgreedStream) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.err != nil:
		return s.err
	case !s.started:
		return errors.New("the sound of the call has not begun")
	}
	return s.applyAgreement(local, stream)
}

// applyAgreement applies a negotiated stream, or leaves everything unchanged.
func (s *MediaSession) applyAgreement(local sdp.LocalMedia, stream sdp.AgreedStream) error {
	if err := checkAgreement(local, stream); err != nil {
		return err
	}
	if err := s.in.applyAgreement(local, stream); err != nil {
		return err
	}
	if err := s.out.applyAgreement(local, stream); err != nil {
		return err
	}
	if stream.Remote != s.stream.Remote { // otherwise a session refresh does not restart the RTP timeout
		s.silent = 0
	}
	s.latch.setRemote(stream.Remote)
	s.local, s.stream, s.settled = local, stream, s.started
	return nil
}

// SetTransferring suspends the RTP timeout while the call is being transferred.
func (s *MediaSession) SetTransferring(transferring bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.transferring = transferring
}

// Ended is closed when the session has ended, by End or by itself: Err says why.
func (s *MediaSession) Ended() <-chan struct{} { return s.ended }

// Err returns why the session ended; nil before.
func (s *MediaSession) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// End closes the sockets and waits for the goroutines. Next returns [carrier.ErrHungUp] at once; another error (nil:
// [io.EOF]) after the buffered frames. The first error is kept, but ErrHungUp replaces it.
func (s *MediaSession) End(err error) {
	s.mu.Lock()
	if err == nil {
		err = io.EOF
	}
	s.endSession(err)
	s.mu.Unlock()
	s.running.Wait()
}

// endSession is End with the lock held.
func (s *MediaSession) endSession(err error) {
	if s.err == nil {
		s.err = err
		close(s.ended)
		_ = s.rtp.Close()
		_ = s.rtcp.Close()
	}
	if errors.Is(err, carrier.ErrHungUp) {
		s.err = err
		s.frames = frameQueue{}
	}
}

// checkAgreement validates a negotiated stream.
func checkAgreement(local sdp.LocalMedia, stream sdp.AgreedStream) error {
	switch {
	case !slices.Contains(sdp.AllCodecs(), stream.Codec):
		return fmt.Errorf("no codec has number %d", stream.Codec)
	case stream.Payload > 127 || stream.Events > 127 || stream.Events == stream.Payload && stream.Events != 0:
		return fmt.Errorf("sound and keys can't be of payload types %d and %d", stream.Payload, stream.Events)
	case (local.Key == nil) != (stream.Key == nil):
		return errors.New("SRTP needs a key of each side")
	case local.Key != nil && (len(local.Key) != keyLen+saltLen || len(stream.Key) != keyLen+saltLen):
		return fmt.Errorf("keys of SRTP have %d bytes, not %d and %d", keyLen+saltLen, len(local.Key), len(stream.Key))
	}
	return nil
}

// PortRange is an inclusive range of UDP ports.
type PortRange struct{ First, Last uint16 }

// CountPairs returns how many calls the range has ports for.
func (p PortRange) CountPairs() int {
	first := (int(p.First) + 1) &^ 1
	return max(0, (int(p.Last)-first+1)/2)
}

// bindPair binds the first free port pair from a random position on, so that late packets of an old call do not reach a
// new one.
func (p PortRange) bindPair(addr netip.Addr) (rtp, rtcp *net.UDPConn, err error) {
	first := (int(p.First) + 1) &^ 1
	pairs := p.CountPairs()
	if p.First == 0 || pairs < 1 {
		return nil, nil, fmt.Errorf("the UDP ports %d-%d hold no even port with the next one", p.First, p.Last)
	}
	start := rand.IntN(pairs)
	for i := range pairs {
		port := first + 2*((start+i)%pairs)
		rtp, rtcp, err = bindPortPair(addr, uint16(port))
		if err == nil || !errors.Is(err, syscall.EADDRINUSE) {
			return rtp, rtcp, err
		}
	}
	return nil, nil, fmt.Errorf("all UDP ports %d-%d are in use: widen the range, or allow fewer lines", p.First, p.Last)
}

func bindPortPair(addr netip.Addr, port uint16) (rtp, rtcp *net.UDPConn, err error) {
	rtp, err = net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(addr, port)))
	if err != nil {
		return nil, nil, err
	}
	rtcp, err = net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(addr, port+1)))
	if err != nil {
		_ = rtp.Close()
		return nil, nil, err
	}
	return rtp, rtcp, nil
}
