package sdp

import (
	pion "github.com/pion/sdp/v3"
)

// AnswerOffer returns our answer to the remote side's offer, and the negotiated stream: the first supported codec in
// the offer's order, its crypto tag, and only one audio stream.
func (l LocalMedia) AnswerOffer(offer []byte) ([]byte, AgreedStream, error) {
	s, err := parseSession(offer, l.transport())
	if err != nil {
		return nil, AgreedStream{}, err
	}
	stream, tag, err := l.agreeMedia(s)
	if err != nil {
		return nil, AgreedStream{}, err
	}
	l.Lines, stream.Lines = s.SessionLines, s.SessionLines
	return l.marshalDescription(s.sessionTimes(), s.placeAudio(l.describeAccepted(stream, tag))), stream, nil
}

// describeAccepted describes our side of a negotiated stream.
func (l LocalMedia) describeAccepted(stream AgreedStream, tag int) *pion.MediaDescription {
	audio := withCodec(l.describeAudio(l.mediaProfile(), tag), stream.Payload, stream.Codec)
	if stream.Events != 0 {
		audio = withEvents(audio, stream.Events, stream.EventRate)
	}
	return finishAudio(audio, directionAttribute(stream.Listens, stream.Sends))
}

// sessionTimes returns the times of the offer: an answer repeats them (RFC 3264 §6).
func (s remoteSession) sessionTimes() []pion.TimeDescription {
	if len(s.head.TimeDescriptions) == 0 {
		return permanentTime()
	}
	return s.head.TimeDescriptions
}
