package webm_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"munadi/engine/audio/internal/webm"
)

// el returns an element with a size of eight bytes; open is one of unknown size.
func el(id []byte, body ...[]byte) []byte {
	b := bytes.Join(body, nil)
	n := len(b)
	head := append(bytes.Clone(id), 0x01, 0, 0, 0, 0, 0, byte(n>>8), byte(n))
	return append(head, b...)
}

func open(id []byte, body ...[]byte) []byte {
	return append(append(bytes.Clone(id), 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), bytes.Join(body, nil)...)
}

var (
	ebml    = []byte{0x1a, 0x45, 0xdf, 0xa3}
	segment = []byte{0x18, 0x53, 0x80, 0x67}
	cluster = []byte{0x1f, 0x43, 0xb6, 0x75}
	tracks  = []byte{0x16, 0x54, 0xae, 0x6b}
	entry   = []byte{0xae}
	simple  = []byte{0xa3}
	group   = []byte{0xa0}
	block   = []byte{0xa1}
	discard = []byte{0x75, 0xa2}
	void    = []byte{0xec}
)

func track() []byte {
	return el(tracks, el(entry, el([]byte{0xd7}, []byte{1}), el([]byte{0x83}, []byte{2}),
		el([]byte{0x86}, []byte("A_OPUS"))))
}

// payload returns a block of track 1 with that lacing.
func payload(flags byte, body ...byte) []byte { return append([]byte{0x81, 0, 0, flags}, body...) }

func TestFrames(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		clusters []byte
		want     string
	}{
		"simple":  {el(cluster, el(simple, payload(0, 7, 8))), "[7 8]/0 "},
		"xiph":    {el(cluster, el(simple, payload(2, 2, 1, 2, 1, 2, 3, 4))), "[1]/0 [2 3]/0 [4]/0 "},
		"fixed":   {el(cluster, el(simple, payload(4, 1, 1, 2, 3, 4))), "[1 2]/0 [3 4]/0 "},
		"ebml":    {el(cluster, el(simple, payload(6, 2, 0x81, 0xc0, 1, 2, 3, 4))), "[1]/0 [2 3]/0 [4]/0 "},
		"other":   {el(cluster, el(simple, []byte{0x82, 0, 0, 0, 9}), el(simple, payload(0, 7))), "[7]/0 "},
		"void":    {el(cluster, el(void, make([]byte, 300)), el(simple, payload(0, 7))), "[7]/0 "},
		"unknown": {append(open(cluster, el(simple, payload(0, 1))), open(cluster, el(simple, payload(0, 2)))...), "[1]/0 [2]/0 "},
		"group":   {el(cluster, el(group, el(block, payload(0, 5)), el(discard, []byte{0x01, 0x00}))), "[5]/256 "},
	}
	for name, tt := range tests {
		for kind, file := range map[string][]byte{
			"sized": append(el(ebml), el(segment, track(), tt.clusters)...),
			"open":  append(el(ebml), open(segment, track(), tt.clusters)...),
		} {
			got, err := frames(file)
			if got != tt.want || !errors.Is(err, io.EOF) {
				t.Errorf("%s, %s: got %q, %v; want %q", name, kind, got, err, tt.want)
			}
			for n := range file {
				if _, err := frames(file[:n]); kind == "sized" && errors.Is(err, io.EOF) {
					t.Errorf("%s: cut to %d bytes and taken for whole", name, n)
				}
			}
		}
	}
}

func frames(file []byte) (string, error) {
	w, err := webm.OpenReader(bytes.NewReader(file))
	if err != nil {
		return "", err
	}
	if len(w.Tracks) == 1 {
		w.ChooseTrack(w.Tracks[0].Number)
	}
	var all string
	for {
		f, err := w.Next()
		if err != nil {
			return all, err
		}
		all += fmt.Sprintf("%v/%d ", f.Data, f.Discard)
	}
}

func TestDamagedLacing(t *testing.T) {
	t.Parallel()
	for name, b := range map[string][]byte{
		"xiph beyond":  payload(2, 1, 200, 1),
		"xiph endless": payload(2, 1, 255),
		"ebml beyond":  payload(6, 1, 0xbf, 1),
		"ebml below":   payload(6, 2, 0x81, 0x80, 1),
		"no count":     payload(2),
		"no header":    {0x81, 0},
	} {
		file := append(el(ebml), el(segment, track(), el(cluster, el(simple, b)))...)
		if _, err := frames(file); !errors.Is(err, webm.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
