package audio_test

import (
	"errors"
	"slices"
	"testing"

	"munadi/engine/audio"
)

// TestChannel decodes each channel of stereo recordings of every format; the right one in testdata is half as loud as
// the left. Mono has only a left channel, and six channels have neither left nor right.
func TestChannel(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file    string
		db      float64
		foreign bool
	}{
		{"s16-stereo.wav", 70, false},
		{"s24-stereo.flac", 75, false},
		{"mpeg1-stereo.mp3", 20, false},
		{"stereo.opus", 12, false},
		{"s16.aiff", 70, true},
	} {
		opt := plainOptions()
		if tt.foreign {
			opt.FFmpeg = needFFmpeg(t)
		}
		for channel, gain := range map[audio.ChannelChoice]float64{audio.LeftChannel: 1, audio.RightChannel: 0.5} {
			if opt.Channel = channel; tt.foreign && channel == audio.RightChannel {
				continue
			}
			got, err := decodeBytes(t, testdataFile(t, tt.file), opt)
			if err != nil {
				t.Errorf("%s, channel %v: %v", tt.file, channel, err)
				continue
			}
			if db, _ := matchTones(got, gain); db < tt.db {
				t.Errorf("%s, channel %v: %.1f dB from the original", tt.file, channel, db)
			}
		}
	}
	for file, refused := range map[string][]audio.ChannelChoice{
		"u8.wav": {audio.RightChannel}, "mpeg25.mp3": {audio.RightChannel}, "mono.opus": {audio.RightChannel},
		"vorbis.webm": {audio.RightChannel}, "surround.opus": {audio.LeftChannel, audio.RightChannel},
	} {
		for _, channel := range refused {
			opt := plainOptions()
			opt.Channel = channel
			_, err := decodeBytes(t, testdataFile(t, file), opt)
			var bad *audio.DecodeError
			if !errors.As(err, &bad) || bad.Code != audio.CodeChannel {
				t.Errorf("%s, channel %v: %v", file, channel, err)
			}
		}
	}
	opt := plainOptions()
	opt.Channel = audio.LeftChannel
	for _, file := range []string{"vorbis.ogg", "opus.webm", "mpeg25.mp3", "s16.flac"} {
		mixed, err := decodeBytes(t, testdataFile(t, file), plainOptions())
		left, also := decodeBytes(t, testdataFile(t, file), opt)
		if err != nil || also != nil || !slices.Equal(mixed, left) {
			t.Errorf("%s: the left channel of a mono recording is not the recording: %v %v", file, err, also)
		}
	}
}
