package ogg

import (
	"errors"
	"io"
)

// OggPacket is one packet of the chosen logical stream.
type OggPacket struct {
	Data    []byte // valid until the next packet
	Begin   bool   // first packet of a logical stream: a new link of a chained file
	Last    bool   // last one to end on its page
	End     bool   // its page is the last of the stream
	Granule int64  // of the page; meaningful if Last
}

// PacketReader reads one logical stream at a time: the first wanted one of each link.
type PacketReader struct {
	pages  *PageReader
	wanted func(first []byte) bool

	page   *OggPage
	seg    int    // next segment of page
	at     int    // its offset in Body
	serial uint32 // of the stream followed
	next   uint32 // expected page number
	state  streamState
	data   []byte
	open   bool // data holds the beginning of a packet
	begin  bool // the next packet is the first
}

type streamState int

const (
	looking   streamState = iota // searching for the first page of a wanted stream
	following                    // reading a stream
	ended                        // the last page was read
)

// NewPackets reads packets of the streams whose first packet is wanted; other streams are skipped.
func NewPackets(p *PageReader, wanted func(first []byte) bool) *PacketReader {
	return &PacketReader{pages: p, wanted: wanted}
}

// Next returns the next packet, io.EOF at the end of the file, ErrTruncated or ErrDamaged.
func (p *PacketReader) Next() (OggPacket, error) {
	for {
		if p.page == nil || p.seg == len(p.page.Lacing) {
			if err := p.nextPage(); err != nil {
				return OggPacket{}, err
			}
			continue
		}
		if p.takeSegments() {
			return p.finishPacket(), nil
		}
	}
}

// nextPage finds the next page of the stream.
func (p *PacketReader) nextPage() error {
	if p.page != nil && p.page.Flags&End != 0 {
		p.state = ended
	}
	p.page = nil
	for {
		page, err := p.pages.Next()
		if err != nil {
			return p.endError(err)
		}
		if p.state != following && page.Flags&Begin != 0 && p.wanted(firstPacket(page)) {
			p.enterStream(page)
			return nil
		}
		if p.state == following && page.Serial == p.serial {
			return p.followPage(page)
		}
		if p.state == looking && page.Flags&Begin == 0 {
			return ErrUnwanted // the first pages of all streams come before all others
		}
	}
}

// endError converts the page reader's error for the logical stream.
func (p *PacketReader) endError(err error) error {
	if p.state == ended && (errors.Is(err, ErrDamaged) || errors.Is(err, ErrTruncated)) {
		return io.EOF // tags or garbage after a finished stream
	}
	if errors.Is(err, io.EOF) && p.open {
		return ErrTruncated
	}
	return err
}

func (p *PacketReader) enterStream(page *OggPage) {
	p.page, p.seg, p.at = page, 0, 0
	p.serial, p.next = page.Serial, page.Sequence+1
	p.state, p.begin, p.open = following, true, false
	p.data = p.data[:0]
}

func (p *PacketReader) followPage(page *OggPage) error {
	if page.Sequence != p.next || p.open != (page.Flags&Continued != 0) {
		return ErrDamaged
	}
	p.page, p.seg, p.at = page, 0, 0
	p.next++
	return nil
}

// takeSegments adds segments up to the end of a packet; false if the page ends first.
func (p *PacketReader) takeSegments() bool {
	if !p.open {
		p.data = p.data[:0]
	}
	for p.seg < len(p.page.Lacing) {
		size := int(p.page.Lacing[p.seg])
		room := min(size, MaxPacket-len(p.data))
		p.data = append(p.data, p.page.Body[p.at:p.at+room]...)
		p.at += size
		p.seg++
		if p.open = size == 255; !p.open {
			return true
		}
	}
	return false
}

func (p *PacketReader) finishPacket() OggPacket {
	last := true
	for _, l := range p.page.Lacing[p.seg:] {
		last = last && l == 255
	}
	k := OggPacket{
		Data: p.data, Begin: p.begin, Last: last, Granule: p.page.Granule,
		End: p.page.Flags&End != 0,
	}
	p.begin = false
	return k
}

// firstPacket returns the part of the page's first packet that is on the page.
func firstPacket(page *OggPage) []byte {
	size := 0
	for _, l := range page.Lacing {
		size += int(l)
		if l < 255 {
			break
		}
	}
	return page.Body[:size]
}
