// Package media is the sound of one call over RTP (RFC 3550): G.711 in packets of 20 ms each way, plain or as SRTP, and
// the keys that the other side presses (RFC 4733). It knows nothing of SIP.
//
// A [MediaSession] has three goroutines: one reads RTP, one reads RTCP, and one turns the clock. At each tick of 20 ms that
// one takes a frame out of the jitter buffer, takes as much of what is to be said, sends it, and keeps both as a
// [carrier.Frame] until somebody asks for it. Packets of silence are sent as well: they hold open what lies between.
//
// Ticks are due at fixed times since the answer. After a delay of this process they are made up for one by one; what
// should have been sent more than 60 ms ago is not sent any more, since it would come too late to be played. Nothing of
// what is to be said gets lost by that: such a tick says nothing, and the time stamps of RTP leave it out.
//
// While the other side holds, nothing is sent, and what is to be said waits. Ticks go on all the time.
package media

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/pion/rtp"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/sdp"
	"munadi/appliance/recovery"
)

const (
	// untaken frames, so many that nobody asked for, end the line. It is longer than [carrier.Unread].
	untaken = carrier.Unread + 30*time.Second
	// quiet is without a packet: it ends the line, where the other side should send.
	quiet = 30 * time.Second
)

// MediaSession is the sound of one call. It is safe for concurrent use.
type MediaSession struct {
	rtp, rtcp *net.UDPConn
	ended     chan struct{} // closed by the end
	wake      chan struct{} // holds a value where frames have come
	running   sync.WaitGroup

	mu      sync.Mutex
	started bool
	turning bool      // the clock is
	begun   time.Time // the answer
	err     error     // why it ended
	local   sdp.LocalMedia
	stream  sdp.AgreedStream
	latch   symmetricLatch
	in      mediaReceiver
	out     mediaSender
	frames  frameQueue
	made    int // frames
	silent  int // ticks in time without a packet of the other side
	reports rtcpReports
	observe func(late time.Duration) // nil: nobody
	packet  rtp.Packet               // the one that was received last

	unsent, foreign, forged, ignored uint64 // see Stats
	stranger                         netip.Addr
}

// OpenSession binds a pair of ports: an even one for RTP and the next for RTCP. What comes before Start is dropped.
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

// runAside does work that End waits for. A breakdown in it ends this call alone.
func (s *MediaSession) runAside(work func()) {
	s.running.Go(func() {
		if err := recovery.RecoverPanic(func() error { work(); return nil }); err != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.endSession(&carrier.DialError{Err: fmt.Errorf("the sound of the call broke down: %w", err)})
		}
	})
}

// Port is where RTP is received.
func (s *MediaSession) Port() uint16 { return s.rtp.LocalAddr().(*net.UDPAddr).AddrPort().Port() }

// Start begins the ticks at the answer. Without local.Receiving nothing is heard: that is our own hold.
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

// Observe has each tick told with how late it was, from Start on; call it before.
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
	s.started, s.begun = true, time.Now()
	return nil
}

// Change goes over to what a re-INVITE agreed on. An address that stays the same stays latched, and keys that stay the
// same go on.
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

// applyAgreement takes over what both sides agreed on, or leaves all as it was.
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
	s.latch.setRemote(stream.Remote)
	s.local, s.stream, s.silent = local, stream, 0
	return nil
}

// End closes the sockets and waits until nothing of the session runs any more. [carrier.ErrHungUp] is what Next says at
// once; another error, nil being [io.EOF], after the frames that are left. The first error stays, but for ErrHungUp,
// which takes its place.
func (s *MediaSession) End(err error) {
	s.mu.Lock()
	if err == nil {
		err = io.EOF
	}
	s.endSession(err)
	s.mu.Unlock()
	s.running.Wait()
}

// endSession is End for who holds the lock.
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
