package media

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/pion/rtp"
	"github.com/pion/srtp/v3"
)

const (
	keyLen  = 16 // master key
	saltLen = 14
	replay  = 128 // replay window in packets: 2.5 s
	senders = 16  // remembered senders per key
	tries   = 64  // unauthenticated packets until their state is discarded
)

var errForged = errors.New("the packet does not authenticate")

// newContext creates the SRTP state of one direction (RFC 3711, AES_CM_128_HMAC_SHA1_80).
func newContext(key []byte) (*srtp.Context, error) {
	if len(key) != keyLen+saltLen {
		return nil, fmt.Errorf("the key of SRTP has %d bytes, not %d", len(key), keyLen+saltLen)
	}
	return srtp.CreateContext(key[:keyLen], key[keyLen:], srtp.ProtectionProfileAes128CmHmacSha1_80,
		srtp.SRTPReplayProtection(replay), srtp.SRTCPReplayProtection(replay))
}

// srtpReceiver authenticates and decrypts the remote side's packets.
//
// A context keeps state for every SSRC, forged ones too. So each authenticated sender has a separate context, and one
// more is for senders that have not authenticated yet.
type srtpReceiver struct {
	key     []byte
	known   []knownSender // oldest first
	unknown *srtp.Context
	failed  int // packets that unknown did not authenticate
	plain   []byte
	head    rtp.Header
}

type knownSender struct {
	ssrc    uint32
	context *srtp.Context
}

// newOpener returns nil without a key. With an unchanged key the state is kept, for replay protection.
func newOpener(key []byte, last *srtpReceiver) (*srtpReceiver, error) {
	switch {
	case key == nil:
		return nil, nil //nolint:nilnil // no key, no opener
	case last != nil && bytes.Equal(key, last.key):
		return last, nil
	}
	unknown, err := newContext(key)
	if err != nil {
		return nil, err
	}
	return &srtpReceiver{key: bytes.Clone(key), unknown: unknown}, nil
}

// openRTP decrypts a sender's RTP packet. The result is valid until the next call.
func (o *srtpReceiver) openRTP(sealed []byte, ssrc uint32) ([]byte, error) {
	return o.openPacket(ssrc, func(c *srtp.Context) (plain []byte, err error) {
		return c.DecryptRTP(o.plain, sealed, &o.head)
	})
}

// openRTCP decrypts RTCP packets. The result is valid until the next call.
func (o *srtpReceiver) openRTCP(sealed []byte, ssrc uint32) ([]byte, error) {
	return o.openPacket(ssrc, func(c *srtp.Context) (plain []byte, err error) {
		return c.DecryptRTCP(o.plain, sealed, nil)
	})
}

func (o *srtpReceiver) openPacket(ssrc uint32, with func(*srtp.Context) ([]byte, error)) ([]byte, error) {
	for _, k := range o.known {
		if k.ssrc == ssrc {
			return o.keepBuffer(with(k.context))
		}
	}
	b, err := with(o.unknown)
	if err != nil { // perhaps its sequence numbers were reset before the answer
		o.unknown.SetROC(ssrc, 1)
		if b, err = with(o.unknown); err != nil {
			o.unknown.SetROC(ssrc, 0)
			return nil, o.authenticationError()
		}
	}
	return o.keepBuffer(b, o.addSender(ssrc))
}

// keepBuffer reuses the decryption buffer.
func (o *srtpReceiver) keepBuffer(b []byte, err error) ([]byte, error) {
	if err != nil {
		return nil, errForged
	}
	o.plain = b[:0]
	return b, nil
}

// addSender registers an authenticated sender.
func (o *srtpReceiver) addSender(ssrc uint32) error {
	if len(o.known) == senders {
		o.known = append(o.known[:0], o.known[1:]...)
	}
	o.known = append(o.known, knownSender{ssrc, o.unknown})
	return o.renewContext()
}

func (o *srtpReceiver) authenticationError() error {
	if o.failed++; o.failed >= tries {
		if err := o.renewContext(); err != nil {
			return err
		}
	}
	return errForged
}

func (o *srtpReceiver) renewContext() (err error) {
	o.failed = 0
	o.unknown, err = newContext(o.key)
	return err
}
