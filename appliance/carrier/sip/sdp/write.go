package sdp

import (
	"net/netip"

	pion "github.com/pion/sdp/v3"
)

// offeredTag is the tag of the only key that we offer.
const offeredTag = 1

// MakeOffer is the body of an INVITE.
func (l LocalMedia) MakeOffer() []byte {
	audio := l.describeAudio(l.mediaProfile(), offeredTag)
	for _, c := range l.Codecs {
		audio = audio.WithCodec(uint8(c), c.String(), 8000, 0, "")
	}
	return l.marshalDescription(permanentTime(), finishAudio(withEvents(audio, OfferedEvents), directionAttribute(true, l.Receiving)))
}

// mediaProfile is how our sound travels.
func (l LocalMedia) mediaProfile() string {
	if l.Key != nil {
		return "SAVP"
	}
	return "AVP"
}

// describeAudio begins the description of our stream: its port, and its key under that tag.
func (l LocalMedia) describeAudio(profile string, tag int) *pion.MediaDescription {
	audio := &pion.MediaDescription{MediaName: pion.MediaName{
		Media: "audio", Port: pion.RangedPort{Value: int(l.RTP.Port())}, Protos: []string{"RTP", profile},
	}}
	if l.Key != nil {
		return audio.WithValueAttribute("crypto", writeKey(tag, l.Key))
	}
	return audio
}

// withEvents adds telephone keys: 0-9 * # A-D and the hook flash.
func withEvents(audio *pion.MediaDescription, payload uint8) *pion.MediaDescription {
	return audio.WithCodec(payload, "telephone-event", 8000, 0, "0-16")
}

// finishAudio ends the description of a stream.
func finishAudio(audio *pion.MediaDescription, direction string) *pion.MediaDescription {
	return audio.WithValueAttribute("ptime", "20").WithPropertyAttribute(direction)
}

// directionAttribute is the attribute for what we do.
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

// permanentTime is the time of a session that a call bounds.
func permanentTime() []pion.TimeDescription { return []pion.TimeDescription{{}} }

// marshalDescription makes the text of a description.
func (l LocalMedia) marshalDescription(times []pion.TimeDescription, media ...*pion.MediaDescription) []byte {
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
	text, _ := d.Marshal() // it has no way to fail
	return text
}

func addressFamily(host netip.Addr) string {
	if host.Is6() {
		return "IP6"
	}
	return "IP4"
}
