// Package ogg reads packets out of Ogg pages, and writes them (RFC 3533). It is independent of codecs: the caller
// selects a logical stream by the first packet of each. Reading buffers one page, and one packet up to MaxPacket.
package ogg

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// MaxPacket bounds the memory of one packet; longer ones (pictures in comments) are truncated.
const MaxPacket = 1 << 20

var (
	// ErrTruncated means that the file ends within a page or packet.
	ErrTruncated = errors.New("ogg: ends within a page")
	// ErrDamaged means that a page is missing, misplaced or fails its checksum.
	ErrDamaged = errors.New("ogg: damaged page")
	// ErrUnwanted means that the caller wants no logical stream of the file.
	ErrUnwanted = errors.New("ogg: no wanted stream")
)

// Flags of a page.
const (
	Continued = 1 // its first packet began on an earlier page
	Begin     = 2 // first page of a logical stream
	End       = 4 // last page of a logical stream
)

// OggPage is one page. Body is valid until the next one is read.
type OggPage struct {
	Flags    byte
	Granule  int64 // the codec's time at the end of the last packet that ends here; -1 if none does
	Serial   uint32
	Sequence uint32
	Lacing   []byte
	Body     []byte
}

// PageReader reads pages in order.
type PageReader struct {
	// NoChecksum accepts pages with a wrong checksum, for fuzzing.
	NoChecksum bool

	r    *bufio.Reader
	page OggPage
	raw  [27 + 255 + 255*255]byte
	crc  [256]uint32
}

// NewPages reads pages from r.
func NewPages(r io.Reader) *PageReader {
	return &PageReader{r: bufio.NewReaderSize(r, 64<<10), crc: crcTable()}
}

// Next returns the next page, valid until the next call; io.EOF between two pages, ErrTruncated within one.
func (p *PageReader) Next() (*OggPage, error) {
	head := p.raw[:27]
	if _, err := io.ReadFull(p.r, head); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, ErrTruncated
		}
		return nil, err
	}
	if string(head[:4]) != "OggS" || head[4] != 0 {
		return nil, ErrDamaged
	}
	count := int(head[26])
	lacing := p.raw[27 : 27+count]
	if err := p.fillBuffer(lacing); err != nil {
		return nil, err
	}
	size := 0
	for _, l := range lacing {
		size += int(l)
	}
	body := p.raw[27+count : 27+count+size]
	if err := p.fillBuffer(body); err != nil {
		return nil, err
	}
	if !p.NoChecksum && !p.checksumMatches(p.raw[:27+count+size]) {
		return nil, ErrDamaged
	}
	le := binary.LittleEndian
	p.page = OggPage{
		Flags: head[5], Granule: int64(le.Uint64(head[6:])), Serial: le.Uint32(head[14:]),
		Sequence: le.Uint32(head[18:]), Lacing: lacing, Body: body,
	}
	return &p.page, nil
}

func (p *PageReader) fillBuffer(b []byte) error {
	_, err := io.ReadFull(p.r, b)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrTruncated
	}
	return err
}

// checksumMatches verifies the checksum.
func (p *PageReader) checksumMatches(raw []byte) bool {
	return checksum(&p.crc, raw) == binary.LittleEndian.Uint32(raw[22:])
}

// checksum returns the checksum of a page: CRC-32 with polynomial 0x04c11db7, the field itself taken as zero.
func checksum(table *[256]uint32, page []byte) (crc uint32) {
	for i, b := range page {
		if i >= 22 && i < 26 {
			b = 0
		}
		crc = crc<<8 ^ table[byte(crc>>24)^b]
	}
	return crc
}

func crcTable() (t [256]uint32) {
	for i := range t {
		crc := uint32(i) << 24
		for range 8 {
			if crc&0x80000000 != 0 {
				crc = crc<<1 ^ 0x04c11db7
			} else {
				crc <<= 1
			}
		}
		t[i] = crc
	}
	return t
}
