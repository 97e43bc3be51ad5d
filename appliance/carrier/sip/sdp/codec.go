package sdp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	pion "github.com/pion/sdp/v3"
)

// chooseCodec returns the remote side's first codec that we support, with its payload type there.
func (l LocalMedia) chooseCodec(audio *pion.MediaDescription) (Codec, uint8, error) {
	for _, format := range audio.MediaName.Formats {
		payload, err := payloadType(format)
		if err != nil {
			continue
		}
		if c, ok := codecOf(audio, payload); ok && slices.Contains(l.Codecs, c) {
			return c, payload, nil
		}
	}
	return 0, 0, fmt.Errorf("%w: payload types %s", ErrNoCodec, strings.Join(audio.MediaName.Formats, " "))
}

// codecOf returns the codec of a payload type: by the description's rtpmap, or else RFC 3551's static table.
func codecOf(audio *pion.MediaDescription, payload uint8) (Codec, bool) {
	encoding, mapped := encodingOf(audio, payload)
	if !mapped {
		static := Codec(payload)
		return static, static == PCMA || static == PCMU || static == G722
	}
	name, clock, _ := strings.Cut(encoding, "/")
	rate, channels, _ := strings.Cut(clock, "/")
	c, known := CodecByName(name)
	return c, known && rate == strconv.Itoa(c.ClockRate()) && (channels == "" || channels == "1" || c == Opus)
}

// telephoneEventType returns the payload type and clock rate of telephone-event: at the codec's rate, else at 8000; 0
// without one.
func telephoneEventType(audio *pion.MediaDescription, c Codec) (uint8, int) {
	for _, rate := range []int{c.ClockRate(), 8000} {
		wanted := "telephone-event/" + strconv.Itoa(rate)
		for _, format := range audio.MediaName.Formats {
			payload, err := payloadType(format)
			if encoding, _ := encodingOf(audio, payload); err == nil && strings.EqualFold(encoding, wanted) {
				return payload, rate
			}
		}
	}
	return 0, 0
}

// encodingOf returns the rtpmap of a payload type: NAME/RATE[/CHANNELS].
func encodingOf(audio *pion.MediaDescription, payload uint8) (string, bool) {
	for _, a := range audio.Attributes {
		if a.Key != "rtpmap" {
			continue
		}
		if fields := strings.Fields(a.Value); len(fields) == 2 && fields[0] == strconv.Itoa(int(payload)) {
			return fields[1], true
		}
	}
	return "", false
}

// payloadType parses a payload type of seven bits.
func payloadType(format string) (uint8, error) {
	n, err := strconv.ParseUint(format, 10, 7)
	return uint8(n), err
}
