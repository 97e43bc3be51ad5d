package sdp

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	pion "github.com/pion/sdp/v3"
)

// Read is what an answer to our offer agrees on.
func (l Local) Read(answer []byte) (Stream, error) {
	s, err := parse(answer)
	if err != nil {
		return Stream{}, err
	}
	stream, tag, err := l.agree(s)
	if err == nil && l.Key != nil && tag != offeredTag {
		return Stream{}, fmt.Errorf("%w: the answer takes key %d, which was not offered", ErrKeys, tag)
	}
	return stream, err
}

// agree compares the other side's description with ours. The tag is that of the key.
func (l Local) agree(s session) (stream Stream, tag int, err error) {
	if s.audio.MediaName.Port.Value == 0 {
		return Stream{}, 0, fmt.Errorf("%w: the audio stream is declined", ErrNoAudio)
	}
	if tag, stream.Key, err = l.key(s.audio); err != nil {
		return Stream{}, 0, err
	}
	if stream.Codec, stream.Payload, err = l.codec(s.audio); err != nil {
		return Stream{}, 0, err
	}
	if stream.Remote, err = s.remote(); err != nil {
		return Stream{}, 0, err
	}
	stream.Events = events(s.audio)
	stream.Sends, stream.Listens = s.directions()
	stream.Sends = stream.Sends && l.Receiving
	stream.Listens = stream.Listens && stream.Remote.IsValid()
	return stream, tag, nil
}

// directions are what the other side does. Without an attribute it does both (RFC 3264 §5.1).
func (s session) directions() (sends, listens bool) {
	for _, a := range slices.Concat(s.audio.Attributes, s.head.Attributes) {
		switch a.Key {
		case pion.AttrKeySendRecv:
			return true, true
		case pion.AttrKeySendOnly:
			return true, false
		case pion.AttrKeyRecvOnly:
			return false, true
		case pion.AttrKeyInactive:
			return false, false
		}
	}
	return true, true
}

// remote is where the other side wants its sound. The zero address, which asks for none, gives the zero value.
func (s session) remote() (netip.AddrPort, error) {
	c := s.audio.ConnectionInformation
	if c == nil {
		c = s.head.ConnectionInformation
	}
	if c == nil || c.Address == nil {
		return netip.AddrPort{}, fmt.Errorf("%w: no c= line", ErrAddress)
	}
	host, _, _ := strings.Cut(c.Address.Address, "/")
	addr, err := netip.ParseAddr(host)
	switch addr = addr.Unmap(); {
	case err != nil:
		return netip.AddrPort{}, fmt.Errorf("%w: %q is no IP address, and host names are not looked up", ErrAddress, host)
	case addr.IsMulticast() || addr.Zone() != "":
		return netip.AddrPort{}, fmt.Errorf("%w: %s is no address of one machine", ErrAddress, host)
	case addr.IsUnspecified():
		return netip.AddrPort{}, nil
	}
	return netip.AddrPortFrom(addr, uint16(s.audio.MediaName.Port.Value)), nil
}
