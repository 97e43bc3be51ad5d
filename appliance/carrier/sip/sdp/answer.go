package sdp

import (
	pion "github.com/pion/sdp/v3"
)

// Answer is what we answer to an offer of the other side, and what that agrees on: our best format in the order of the
// offer, its key's tag, and no stream but the first of sound.
func (l Local) Answer(offer []byte) ([]byte, Stream, error) {
	s, err := parse(offer)
	if err != nil {
		return nil, Stream{}, err
	}
	stream, tag, err := l.agree(s)
	if err != nil {
		return nil, Stream{}, err
	}
	media := make([]*pion.MediaDescription, len(s.names))
	for i, name := range s.names {
		media[i] = &pion.MediaDescription{MediaName: name} // port 0: declined
	}
	media[s.index] = l.accept(stream, tag)
	return l.write(s.times(), media...), stream, nil
}

// accept describes our side of what was agreed on.
func (l Local) accept(stream Stream, tag int) *pion.MediaDescription {
	audio := l.audio(l.transport(), tag).WithCodec(stream.Payload, stream.Codec.String(), 8000, 0, "")
	if stream.Events != 0 {
		audio = withEvents(audio, stream.Events)
	}
	return ended(audio, direction(stream.Listens, stream.Sends))
}

// times are those of the offer: an answer has the same (RFC 3264 §6).
func (s session) times() []pion.TimeDescription {
	if len(s.head.TimeDescriptions) == 0 {
		return untimed()
	}
	return s.head.TimeDescriptions
}
