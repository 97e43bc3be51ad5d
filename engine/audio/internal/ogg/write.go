package ogg

import (
	"encoding/binary"
	"io"
)

// pagePackets is the number of packets after which a page is written: a second of Opus.
const pagePackets = 50

// PageWriter writes the packets of one logical stream in pages (RFC 3533 §6).
type PageWriter struct {
	w        io.Writer
	crc      [256]uint32
	lacing   []byte
	body     []byte
	packets  int
	granule  int64
	sequence uint32
}

// NewPageWriter returns a writer of a stream to w.
func NewPageWriter(w io.Writer) *PageWriter { return &PageWriter{w: w, crc: crcTable()} }

// WritePacket adds a packet of at most 64,000 bytes; granule is the codec's time at its end.
func (p *PageWriter) WritePacket(packet []byte, granule int64) error {
	if p.packets == pagePackets || len(p.lacing)+len(packet)/255+1 > 255 {
		if err := p.FlushPage(); err != nil {
			return err
		}
	}
	for n := len(packet); ; n -= 255 {
		p.lacing = append(p.lacing, byte(min(n, 255)))
		if n < 255 {
			break
		}
	}
	p.body, p.packets, p.granule = append(p.body, packet...), p.packets+1, granule
	return nil
}

// FlushPage writes the packets that wait as a page.
func (p *PageWriter) FlushPage() error { return p.writePage(0) }

// Close writes the last page.
func (p *PageWriter) Close() error { return p.writePage(End) }

func (p *PageWriter) writePage(flags byte) error {
	if p.sequence == 0 {
		flags |= Begin
	}
	le := binary.LittleEndian
	page := append([]byte("OggS\x00"), flags)
	page = le.AppendUint64(page, uint64(p.granule))
	page = le.AppendUint32(page, 1) // serial number: there is one stream
	page = le.AppendUint32(page, p.sequence)
	page = append(page, 0, 0, 0, 0, byte(len(p.lacing)))
	page = append(append(page, p.lacing...), p.body...)
	le.PutUint32(page[22:], checksum(&p.crc, page))
	p.lacing, p.body, p.packets = p.lacing[:0], p.body[:0], 0
	p.sequence++
	_, err := p.w.Write(page)
	return err
}
