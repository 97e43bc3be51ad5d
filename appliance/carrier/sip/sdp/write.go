package sdp

import (
	"net/netip"
	"slices"
	"strings"

	pion "github.com/pion/sdp/v3"
)

// offeredTag is the crypto tag of the only key that we offer.
const offeredTag = 1

// MakeOffer returns the SDP offer of an INVITE.
func (l LocalMedia) MakeOffer() []byte {
	audio := l.describeAudio(l.mediaProfile(), offeredTag)
	for _, c := range l.Codecs {
		audio = withCodec(audio, uint8(c), c)
	}
	audio = withEvents(audio, OfferedEvents, 8000)
	if slices.Contains(l.Codecs, Opus) {
		audio = withEvents(audio, OfferedWideEvents, Opus.ClockRate())
	}
	audio = finishAudio(audio, directionAttribute(true, l.Receiving))
	return l.marshalDescription(permanentTime(), l.Lines.placeAudio(audio))
}

// transport returns the transport of our stream without feedback, as an m-line has it: RTP/AVP, or RTP/SAVP with SRTP.
func (l LocalMedia) transport() string {
	if l.Key != nil {
		return "RTP/SAVP"
	}
	return "RTP/AVP"
}

// mediaProfile returns the RTP profile: that of the transport, with feedback if the remote side's offer had it.
func (l LocalMedia) mediaProfile() string {
	_, profile, _ := strings.Cut(l.transport(), "/")
	if l.Lines.haveFeedback() {
		return profile + "F"
	}
	return profile
}

// describeAudio begins the description of our stream: port, and crypto attribute under tag.
func (l LocalMedia) describeAudio(profile string, tag int) *pion.MediaDescription {
	audio := &pion.MediaDescription{MediaName: pion.MediaName{
		Media: "audio", Port: pion.RangedPort{Value: int(l.RTP.Port())}, Protos: []string{"RTP", profile},
	}}
	if l.Key != nil {
		return audio.WithValueAttribute("crypto", writeKey(tag, l.Key))
	}
	return audio
}

// withCodec adds a codec under a payload type.
func withCodec(audio *pion.MediaDescription, payload uint8, c Codec) *pion.MediaDescription {
	return audio.WithCodec(payload, c.String(), uint32(c.ClockRate()), c.channels(), c.formatParameters())
}

// withEvents adds telephone-event: 0-9 * # A-D and the hook flash.
func withEvents(audio *pion.MediaDescription, payload uint8, rate int) *pion.MediaDescription {
	return audio.WithCodec(payload, "telephone-event", uint32(rate), 0, "0-16")
}

// finishAudio adds ptime and direction to a stream.
func finishAudio(audio *pion.MediaDescription, direction string) *pion.MediaDescription {
	return audio.WithValueAttribute("ptime", "20").WithPropertyAttribute(direction)
}

// directionAttribute returns the direction attribute.
func directionAttribute(send, receive bool) string {
	switch {
	case send && receive:
		return pion.AttrKeySendRecv
	case send:
		return pion.AttrKeySendOnly
	case receive:
		return pion.AttrKeyRecvOnly
	default:
		return pion.AttrKeyInactive
	}
}

// permanentTime returns an unbounded session time.
func permanentTime() []pion.TimeDescription { return []pion.TimeDescription{{}} }

// marshalDescription returns the text of a description.
func (l LocalMedia) marshalDescription(times []pion.TimeDescription, media []*pion.MediaDescription) []byte {
	host := l.RTP.Addr().Unmap()
	d := pion.SessionDescription{
		Origin: pion.Origin{
			Username: "-", SessionID: l.ID, SessionVersion: l.Version,
			NetworkType: "IN", AddressType: addressFamily(host), UnicastAddress: host.String(),
		},
		SessionName: "-",
		ConnectionInformation: &pion.ConnectionInformation{
			NetworkType: "IN", AddressType: addressFamily(host), Address: &pion.Address{Address: host.String()},
		},
		TimeDescriptions:  times,
		MediaDescriptions: media,
	}
	text, _ := d.Marshal() // cannot fail
	return text
}

func addressFamily(host netip.Addr) string {
	if host.Is6() {
		return "IP6"
	}
	return "IP4"
}
