package sdp

import (
	"errors"
	"fmt"
	"strings"

	pion "github.com/pion/sdp/v3"
)

// remoteSession is what counts of the other side's description.
type remoteSession struct {
	head  pion.SessionDescription
	audio *pion.MediaDescription // the first audio stream
	index int                    // of it among all streams
	names []pion.MediaName       // of all streams
}

// What is read of a description's head and of its audio stream, in the order of the standard. Lines of another type say
// nothing to us, and would only be one more thing that a stranger can get wrong.
const (
	headLines  = "voscta"
	audioLines = "mca"
)

// parseSession reads a description. Streams that are not ours are known by their names alone: they may be of kinds and
// transports that nobody has heard of.
func parseSession(text []byte) (remoteSession, error) {
	head, media := splitSections(string(text))
	s := remoteSession{index: -1}
	for i, lines := range media {
		name, err := mediaName(lines[0])
		if err != nil {
			return remoteSession{}, err
		}
		s.names = append(s.names, name)
		if s.index < 0 && name.Media == "audio" {
			s.index = i
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

// splitSections cuts a description into its head and its streams, line by line.
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

// keepLines keeps lines of these types, and puts them in that order.
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

// mediaName reads an m-line as far as an answer has to repeat it.
func mediaName(line string) (pion.MediaName, error) {
	fields := strings.Fields(strings.TrimPrefix(line, "m="))
	if len(fields) < 4 {
		return pion.MediaName{}, fmt.Errorf("session description: %q names no stream", line)
	}
	return pion.MediaName{Media: fields[0], Protos: strings.Split(fields[2], "/"), Formats: fields[3:]}, nil
}
