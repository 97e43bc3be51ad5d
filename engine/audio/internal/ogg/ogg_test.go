package ogg_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"testing"

	"munadi/engine/audio/internal/ogg"
)

// makePage returns a page without its checksum.
func makePage(flags byte, serial, sequence uint32, granule int64, lacing []byte) []byte {
	b := append([]byte("OggS\x00"), flags)
	b = binary.LittleEndian.AppendUint64(b, uint64(granule))
	b = binary.LittleEndian.AppendUint32(b, serial)
	b = binary.LittleEndian.AppendUint32(b, sequence)
	b = append(b, 0, 0, 0, 0, byte(len(lacing)))
	b = append(b, lacing...)
	for _, l := range lacing {
		b = append(b, bytes.Repeat([]byte{byte(serial)}, int(l))...)
	}
	return b
}

// listPackets lists the packets of serial 1: size and flags.
func listPackets(file []byte) (string, error) {
	pages := ogg.NewPages(bytes.NewReader(file))
	pages.NoChecksum = true
	packets := ogg.NewPackets(pages, func(first []byte) bool { return len(first) > 0 && first[0] == 1 })
	var all string
	for {
		p, err := packets.Next()
		if err != nil {
			return all, err
		}
		all += fmt.Sprint(len(p.Data))
		for _, is := range []struct {
			so   bool
			name string
		}{{p.Begin, "b"}, {p.End, "e"}, {p.Last, fmt.Sprint("@", p.Granule)}} {
			if is.so {
				all += is.name
			}
		}
		all += " "
	}
}

func TestPackets(t *testing.T) {
	t.Parallel()
	head := makePage(ogg.Begin, 1, 0, 0, []byte{10})
	join := func(pages ...[]byte) []byte { return bytes.Join(pages, nil) }
	tests := map[string]struct {
		file []byte
		want string
		err  error
	}{
		"plain": {join(head, makePage(ogg.End, 1, 1, 99, []byte{5, 6})), "10b@0 5e 6e@99 ", io.EOF},
		"two pages": {
			join(head, makePage(0, 1, 1, -1, []byte{255, 255}), makePage(ogg.Continued|ogg.End, 1, 2, 99, []byte{255, 0, 3})),
			"10b@0 765e 3e@99 ", io.EOF,
		},
		"other stream": {
			join(makePage(ogg.Begin, 2, 0, 0, []byte{3}), head, makePage(0, 2, 1, 5, []byte{9}), makePage(ogg.End, 1, 1, 99, []byte{5})),
			"10b@0 5e@99 ", io.EOF,
		},
		"chain":        {join(makePage(ogg.Begin|ogg.End, 1, 0, 7, []byte{4}), head), "4be@7 10b@0 ", io.EOF},
		"tag behind":   {join(makePage(ogg.Begin|ogg.End, 1, 0, 7, []byte{4}), make([]byte, 128)), "4be@7 ", io.EOF},
		"unwanted":     {join(makePage(ogg.Begin, 2, 0, 0, []byte{3}), makePage(0, 2, 1, 5, []byte{9})), "", ogg.ErrUnwanted},
		"page missing": {join(head, makePage(0, 1, 2, 99, []byte{5})), "10b@0 ", ogg.ErrDamaged},
		"lost start":   {join(head, makePage(ogg.Continued, 1, 1, 99, []byte{5})), "10b@0 ", ogg.ErrDamaged},
		"lost end":     {join(head, makePage(0, 1, 1, -1, []byte{255})), "10b@0 ", ogg.ErrTruncated},
		"page cut":     {join(head, makePage(0, 1, 1, 99, []byte{5})[:30]), "10b@0 ", ogg.ErrTruncated},
		"huge": {
			join(head, bytes.Join(hugePacket(), nil), makePage(ogg.Continued|ogg.End, 1, 31, 9, []byte{1})),
			fmt.Sprintf("10b@0 %de@9 ", ogg.MaxPacket), io.EOF,
		},
	}
	for name, tt := range tests {
		if got, err := listPackets(tt.file); got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: got %q, %v; want %q, %v", name, got, err, tt.want, tt.err)
		}
	}
}

// hugePacket is 30 pages of one packet.
func hugePacket() (pages [][]byte) {
	flags := byte(0)
	for i := range 30 {
		pages = append(pages, makePage(flags, 1, uint32(i+1), -1, bytes.Repeat([]byte{255}, 255)))
		flags = ogg.Continued
	}
	return pages
}

// TestChecksum: a page of libogg is accepted; one changed bit is detected.
func TestChecksum(t *testing.T) {
	t.Parallel()
	file := makePage(ogg.Begin, 1, 0, 0, []byte{10})
	if _, err := ogg.NewPages(bytes.NewReader(file)).Next(); !errors.Is(err, ogg.ErrDamaged) {
		t.Errorf("a page without checksum: %v", err)
	}
}
