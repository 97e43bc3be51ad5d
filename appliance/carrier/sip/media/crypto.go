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
	replay  = 128 // packets that one may come too late by: 2.5 s
	senders = 16  // of one key that are remembered
	tries   = 64  // of forgers, until what they left behind is thrown away
)

var errForged = errors.New("the packet does not authenticate")

// newContext makes SRTP's state of one direction (RFC 3711, AES_CM_128_HMAC_SHA1_80).
func newContext(key []byte) (*srtp.Context, error) {
	if len(key) != keyLen+saltLen {
		return nil, fmt.Errorf("the key of SRTP has %d bytes, not %d", len(key), keyLen+saltLen)
	}
	return srtp.CreateContext(key[:keyLen], key[keyLen:], srtp.ProtectionProfileAes128CmHmacSha1_80,
		srtp.SRTPReplayProtection(replay), srtp.SRTCPReplayProtection(replay))
}

// srtpReceiver authenticates and opens what the other side protected with a key.
//
// A context remembers whatever sender it was asked about, forged ones too. So each sender has one of its own, and there
// is one for those who still have to prove that they have the key.
type srtpReceiver struct {
	key     []byte
	known   []knownSender // the oldest first
	unknown *srtp.Context
	failed  int // packets that unknown did not open
	plain   []byte
	head    rtp.Header
}

type knownSender struct {
	ssrc    uint32
	context *srtp.Context
}

// newOpener is nil without a key. One of the same key goes on as it is: it knows what was received already.
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

// openRTP opens a packet of a sender. What it returns is valid until the next.
func (o *srtpReceiver) openRTP(sealed []byte, ssrc uint32) ([]byte, error) {
	return o.openPacket(ssrc, func(c *srtp.Context) (plain []byte, err error) {
		return c.DecryptRTP(o.plain, sealed, &o.head)
	})
}

// openRTCP opens reports. What it returns is valid until the next.
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
	if err != nil { // perhaps its sequence numbers began anew before the answer, when nobody listened
		o.unknown.SetROC(ssrc, 1)
		if b, err = with(o.unknown); err != nil {
			o.unknown.SetROC(ssrc, 0)
			return nil, o.authenticationError()
		}
	}
	return o.keepBuffer(b, o.addSender(ssrc))
}

// keepBuffer holds on to the room that a packet was opened in.
func (o *srtpReceiver) keepBuffer(b []byte, err error) ([]byte, error) {
	if err != nil {
		return nil, errForged
	}
	o.plain = b[:0]
	return b, nil
}

// addSender remembers a sender that has the key.
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
