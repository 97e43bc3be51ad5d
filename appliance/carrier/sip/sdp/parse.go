package sdp

import (
	"errors"
	"fmt"
	"strings"

	pion "github.com/pion/sdp/v3"
)

// remoteSession holds the relevant parts of the remote side's description.
type remoteSession struct {
	SessionLines
	head  pion.SessionDescription
	audio *pion.MediaDescription // the audio stream that counts
}

// SessionLines are the m-lines of a session, which later descriptions keep in number and order (RFC 3264 §8). The zero
// value is the audio stream alone.
type SessionLines struct {
	names []pion.MediaName // of all streams
	index int              // of the audio stream
}

// withoutFeedback returns the transport of an m-line, such as RTP/AVP, also of RTP/AVPF.
func withoutFeedback(name pion.MediaName) string {
	return strings.TrimSuffix(strings.Join(name.Protos, "/"), "F")
}

// haveFeedback reports whether the audio stream is of a profile with feedback.
func (s SessionLines) haveFeedback() bool {
	return len(s.names) > 0 && strings.HasSuffix(strings.Join(s.names[s.index].Protos, "/"), "F")
}

// placeAudio returns the description of all streams: audio, and the others declined.
func (s SessionLines) placeAudio(audio *pion.MediaDescription) []*pion.MediaDescription {
	media := make([]*pion.MediaDescription, max(1, len(s.names)))
	for i, name := range s.names {
		media[i] = &pion.MediaDescription{MediaName: name} // port 0: declined
	}
	media[s.index] = audio
	return media
}

// Line types that are parsed, in the order of the standard: session level and audio stream. Others are skipped
// unparsed, so that malformed ones do no harm.
const (
	headLines  = "voscta"
	audioLines = "mca"
)

// parseSession parses a description. Of several audio streams the first one of our transport counts: an offer may have
// one with SRTP and one without. Of other streams only the m-lines are parsed: they may be of unknown kinds and
// transports.
func parseSession(text []byte, transport string) (remoteSession, error) {
	head, media := splitSections(string(text))
	s, isOurs := remoteSession{}, false
	s.index = -1
	for i, lines := range media {
		name, err := mediaName(lines[0])
		if err != nil {
			return remoteSession{}, err
		}
		s.names = append(s.names, name)
		fits := withoutFeedback(name) == transport && strings.Fields(lines[0])[1] != "0"
		if name.Media == "audio" && (s.index < 0 || fits && !isOurs) {
			s.index, isOurs = i, fits
		}
	}
	if s.index < 0 {
		return remoteSession{}, fmt.Errorf("%w: no audio stream", ErrNoAudio)
	}
	kept := append(keepLines(headLines, head), keepLines(audioLines, media[s.index])...)
	if err := s.head.UnmarshalString(strings.Join(kept, "\r\n") + "\r\n"); err != nil {
		return remoteSession{}, fmt.Errorf("session description: %w", err)
	}
	if len(s.head.MediaDescriptions) != 1 {
		return remoteSession{}, errors.New("session description: it does not begin as one")
	}
	s.audio = s.head.MediaDescriptions[0]
	return s, nil
}

// splitSections splits a description into session level and streams, line by line.
func splitSections(text string) (head []string, media [][]string) {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " \t\r")
		switch {
		case line == "":
		case strings.HasPrefix(line, "m="):
			media = append(media, []string{line})
		case media == nil:
			head = append(head, line)
		default:
			media[len(media)-1] = append(media[len(media)-1], line)
		}
	}
	return head, media
}

// keepLines returns the lines of these types, in that order.
func keepLines(types string, lines []string) []string {
	var kept []string
	for _, wanted := range types {
		for _, line := range lines {
			if strings.HasPrefix(line, string(wanted)+"=") {
				kept = append(kept, line)
			}
		}
	}
	return kept
}

// mediaName parses an m-line as far as an answer has to repeat it.
func mediaName(line string) (pion.MediaName, error) {
	fields := strings.Fields(strings.TrimPrefix(line, "m="))
	if len(fields) < 4 {
		return pion.MediaName{}, fmt.Errorf("session description: %q names no stream", line)
	}
	return pion.MediaName{Media: fields[0], Protos: strings.Split(fields[2], "/"), Formats: fields[3:]}, nil
}
