package sdp

import (
	"net/netip"

	pion "github.com/pion/sdp/v3"
)

// offeredTag is the tag of the only key that we offer.
const offeredTag = 1

// Offer is the body of an INVITE.
func (l Local) Offer() []byte {
	audio := l.audio(l.transport(), offeredTag)
	for _, c := range l.Codecs {
		audio = audio.WithCodec(uint8(c), c.String(), 8000, 0, "")
	}
	return l.write(untimed(), ended(withEvents(audio, OfferedEvents), direction(true, l.Receiving)))
}

// transport is how our sound travels.
func (l Local) transport() string {
	if l.Key != nil {
		return "SAVP"
	}
	return "AVP"
}

// audio begins the description of our stream: its port, and its key under that tag.
func (l Local) audio(profile string, tag int) *pion.MediaDescription {
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

// ended ends the description of a stream.
func ended(audio *pion.MediaDescription, direction string) *pion.MediaDescription {
	return audio.WithValueAttribute("ptime", "20").WithPropertyAttribute(direction)
}

// direction is the attribute for what we do.
func direction(send, receive bool) string {
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

// untimed is the time of a session that a call bounds.
func untimed() []pion.TimeDescription { return []pion.TimeDescription{{}} }

// write makes the text of a description.
func (l Local) write(times []pion.TimeDescription, media ...*pion.MediaDescription) []byte {
	host := l.RTP.Addr().Unmap()
	d := pion.SessionDescription{
		Origin: pion.Origin{
			Username: "-", SessionID: l.ID, SessionVersion: l.Version,
			NetworkType: "IN", AddressType: family(host), UnicastAddress: host.String(),
		},
		SessionName: "-",
		ConnectionInformation: &pion.ConnectionInformation{
			NetworkType: "IN", AddressType: family(host), Address: &pion.Address{Address: host.String()},
		},
		TimeDescriptions:  times,
		MediaDescriptions: media,
	}
	text, _ := d.Marshal() // it has no way to fail
	return text
}

func family(host netip.Addr) string {
	if host.Is6() {
		return "IP6"
	}
	return "IP4"
}
