package subtitle_test

import (
	"strings"
	"testing"

	"munadi/appliance/subtitle"
)

var cues = []subtitle.SubtitleCue{
	{Start: 0.06, End: 1.5, Text: "نعم  أريد\n\nالحجز"},
	{Start: 3661.9996, End: 3662.25, Text: "1 < 2 & 3"},
}

func TestWriteSRT(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := subtitle.WriteSRT(&b, cues); err != nil {
		t.Fatal(err)
	}
	const want = "1\n00:00:00,060 --> 00:00:01,500\nنعم أريد الحجز\n\n2\n01:01:02,000 --> 01:01:02,250\n1 < 2 & 3\n\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestWriteVTT(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := subtitle.WriteVTT(&b, cues); err != nil {
		t.Fatal(err)
	}
	const want = "WEBVTT\n\n00:00:00.060 --> 00:00:01.500\nنعم أريد الحجز\n\n01:01:02.000 --> 01:01:02.250\n1 &lt; 2 &amp; 3\n\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
