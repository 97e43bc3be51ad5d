package webm

import "bytes"

// trackEntry keeps an audio track.
func (w *Reader) trackEntry(e element) error {
	body, err := w.body(e)
	if err != nil {
		return err
	}
	var kind uint64
	t := Track{Rate: 8000, Channels: 1}
	err = children(body, func(id uint32, b []byte) error {
		switch id {
		case idTrackNumber:
			t.Number = unsigned(b)
		case idTrackType:
			kind = unsigned(b)
		case idCodecID:
			t.Codec = string(bytes.TrimRight(b[:min(len(b), 64)], "\x00"))
		case idCodecPrivate:
			t.Private = bytes.Clone(b)
		case idCodecDelay:
			t.Delay = unsigned(b)
		case idEncodings:
			t.Encoded = true
		case idAudio:
			return children(b, t.audio)
		}
		return nil
	})
	if err == nil && kind == trackTypeAudio && len(w.Tracks) < 64 {
		w.Tracks = append(w.Tracks, t)
	}
	return err
}

func (t *Track) audio(id uint32, b []byte) error {
	switch id {
	case idFrequency:
		t.Rate = float(b)
	case idChannels:
		t.Channels = int(min(unsigned(b), 1<<16))
	}
	return nil
}
