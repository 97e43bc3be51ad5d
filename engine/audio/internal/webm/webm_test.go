package webm_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"munadi/engine/audio/internal/webm"
)

// makeElement returns an element with a size of eight bytes; open is one of unknown size.
func makeElement(id []byte, body ...[]byte) []byte {
	b := bytes.Join(body, nil)
	n := len(b)
	head := append(bytes.Clone(id), 0x01, 0, 0, 0, 0, 0, byte(n>>8), byte(n))
	return append(head, b...)
}

func makeOpenElement(id []byte, body ...[]byte) []byte {
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

func makeTrack() []byte {
	return makeElement(tracks, makeElement(entry, makeElement([]byte{0xd7}, []byte{1}), makeElement([]byte{0x83}, []byte{2}),
		makeElement([]byte{0x86}, []byte("A_OPUS"))))
}

// makeBlock returns a block of track 1 with that lacing.
func makeBlock(flags byte, body ...byte) []byte { return append([]byte{0x81, 0, 0, flags}, body...) }

func TestFrames(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		clusters []byte
		want     string
	}{
		"simple":  {makeElement(cluster, makeElement(simple, makeBlock(0, 7, 8))), "[7 8]/0 "},
		"xiph":    {makeElement(cluster, makeElement(simple, makeBlock(2, 2, 1, 2, 1, 2, 3, 4))), "[1]/0 [2 3]/0 [4]/0 "},
		"fixed":   {makeElement(cluster, makeElement(simple, makeBlock(4, 1, 1, 2, 3, 4))), "[1 2]/0 [3 4]/0 "},
		"ebml":    {makeElement(cluster, makeElement(simple, makeBlock(6, 2, 0x81, 0xc0, 1, 2, 3, 4))), "[1]/0 [2 3]/0 [4]/0 "},
		"other":   {makeElement(cluster, makeElement(simple, []byte{0x82, 0, 0, 0, 9}), makeElement(simple, makeBlock(0, 7))), "[7]/0 "},
		"void":    {makeElement(cluster, makeElement(void, make([]byte, 300)), makeElement(simple, makeBlock(0, 7))), "[7]/0 "},
		"unknown": {append(makeOpenElement(cluster, makeElement(simple, makeBlock(0, 1))), makeOpenElement(cluster, makeElement(simple, makeBlock(0, 2)))...), "[1]/0 [2]/0 "},
		"group":   {makeElement(cluster, makeElement(group, makeElement(block, makeBlock(0, 5)), makeElement(discard, []byte{0x01, 0x00}))), "[5]/256 "},
	}
	for name, tt := range tests {
		for kind, file := range map[string][]byte{
			"sized": append(makeElement(ebml), makeElement(segment, makeTrack(), tt.clusters)...),
			"open":  append(makeElement(ebml), makeOpenElement(segment, makeTrack(), tt.clusters)...),
		} {
			got, err := readFrames(file)
			if got != tt.want || !errors.Is(err, io.EOF) {
				t.Errorf("%s, %s: got %q, %v; want %q", name, kind, got, err, tt.want)
			}
			for n := range file {
				if _, err := readFrames(file[:n]); kind == "sized" && errors.Is(err, io.EOF) {
					t.Errorf("%s: cut to %d bytes and accepted as complete", name, n)
				}
			}
		}
	}
}

func readFrames(file []byte) (string, error) {
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
		"xiph beyond":  makeBlock(2, 1, 200, 1),
		"xiph endless": makeBlock(2, 1, 255),
		"ebml beyond":  makeBlock(6, 1, 0xbf, 1),
		"ebml below":   makeBlock(6, 2, 0x81, 0x80, 1),
		"no count":     makeBlock(2),
		"no header":    {0x81, 0},
	} {
		file := append(makeElement(ebml), makeElement(segment, makeTrack(), makeElement(cluster, makeElement(simple, b)))...)
		if _, err := readFrames(file); !errors.Is(err, webm.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
