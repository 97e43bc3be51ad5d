package sdp

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	pion "github.com/pion/sdp/v3"
)

// Read returns the stream negotiated by an answer to our offer.
func (l LocalMedia) Read(answer []byte) (AgreedStream, error) {
	s, err := parseSession(answer, l.transport())
	if err != nil {
		return AgreedStream{}, err
	}
	stream, tag, err := l.agreeMedia(s)
	stream.Lines = l.Lines
	if err == nil && l.Key != nil && tag != offeredTag {
		return AgreedStream{}, fmt.Errorf("%w: the answer takes key %d, which was not offered", ErrKeys, tag)
	}
	return stream, err
}

// agreeMedia negotiates the remote side's description with ours. tag is that of the key.
func (l LocalMedia) agreeMedia(s remoteSession) (stream AgreedStream, tag int, err error) {
	if s.audio.MediaName.Port.Value == 0 {
		return AgreedStream{}, 0, fmt.Errorf("%w: the audio stream is declined", ErrNoAudio)
	}
	if tag, stream.Key, err = l.chooseKey(s.audio); err != nil {
		return AgreedStream{}, 0, err
	}
	if stream.Codec, stream.Payload, err = l.chooseCodec(s.audio); err != nil {
		return AgreedStream{}, 0, err
	}
	if stream.Remote, err = s.remoteAddress(); err != nil {
		return AgreedStream{}, 0, err
	}
	stream.Reports = s.reportsAddress(stream.Remote)
	stream.Events, stream.EventRate = telephoneEventType(s.audio, stream.Codec)
	stream.Sends, stream.Listens = s.mediaDirections()
	stream.Sends = stream.Sends && l.Receiving
	stream.Listens = stream.Listens && stream.Remote.IsValid()
	stream.Discontinuous = isDiscontinuous(s.audio, stream)
	return stream, tag, nil
}

// isDiscontinuous reports whether the remote side announces silence suppression: comfort noise (RFC 3389), DTX of Opus
// (RFC 7587 §6.1), or silenceSupp (RFC 3108 §5.6.3.2).
func isDiscontinuous(audio *pion.MediaDescription, stream AgreedStream) bool {
	for _, format := range audio.MediaName.Formats {
		payload, err := payloadType(format)
		name, _ := encodingOf(audio, payload)
		if format == "13" || err == nil && strings.HasPrefix(strings.ToUpper(name), "CN/") {
			return true
		}
	}
	opus := strconv.Itoa(int(stream.Payload)) + " "
	return slices.ContainsFunc(audio.Attributes, func(a pion.Attribute) bool {
		switch a.Key {
		case "silenceSupp":
			return strings.HasPrefix(a.Value, "on")
		case "fmtp":
			return stream.Codec == Opus && strings.HasPrefix(a.Value, opus) && strings.Contains(a.Value, "usedtx=1")
		default:
			return false
		}
	})
}

// mediaDirections returns the remote side's directions; sendrecv without an attribute (RFC 3264 §5.1).
func (s remoteSession) mediaDirections() (sends, listens bool) {
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

// remoteAddress returns the remote side's RTP address. The address 0.0.0.0 (hold) gives the zero value.
func (s remoteSession) remoteAddress() (netip.AddrPort, error) {
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

// reportsAddress returns where the remote side receives RTCP beside its RTP: PORT [IN IP4 ADDRESS] of a=rtcp; zero
// without a usable one.
func (s remoteSession) reportsAddress(remote netip.AddrPort) netip.AddrPort {
	text, _ := s.audio.Attribute("rtcp")
	fields := strings.Fields(text)
	if len(fields) == 0 || !remote.IsValid() {
		return netip.AddrPort{}
	}
	port, err := strconv.ParseUint(fields[0], 10, 16)
	addr := remote.Addr()
	if len(fields) == 4 && err == nil {
		addr, err = netip.ParseAddr(fields[3])
	}
	if addr = addr.Unmap(); err != nil || port == 0 || addr.IsUnspecified() || addr.IsMulticast() || addr.Zone() != "" {
		return netip.AddrPort{}
	}
	return netip.AddrPortFrom(addr, uint16(port))
}
