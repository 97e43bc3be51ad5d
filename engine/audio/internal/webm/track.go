package webm

import "bytes"

// trackEntry reads a TrackEntry and adds it to Tracks if it is an audio track.
func (w *WebMReader) trackEntry(e ebmlElement) error {
	body, err := w.readBody(e)
	if err != nil {
		return err
	}
	var kind uint64
	var t AudioTrack
	err = eachChild(body, func(id uint32, b []byte) error {
		switch id {
		case idTrackNumber:
			t.Number = parseUnsigned(b)
		case idTrackType:
			kind = parseUnsigned(b)
		case idCodecID:
			t.Codec = string(bytes.TrimRight(b[:min(len(b), 64)], "\x00"))
		case idCodecPrivate:
			t.Private = bytes.Clone(b)
		case idCodecDelay:
			t.Delay = parseUnsigned(b)
		case idEncodings:
			t.Encoded = true
		}
		return nil
	})
	if err == nil && kind == trackTypeAudio && len(w.Tracks) < 64 {
		w.Tracks = append(w.Tracks, t)
	}
	return err
}
