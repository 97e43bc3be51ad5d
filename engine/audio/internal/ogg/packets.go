package ogg

import (
	"errors"
	"io"
)

// Packet is one packet of the chosen logical stream.
type Packet struct {
	Data    []byte // valid until the next packet
	Begin   bool   // first packet of a logical stream: a new link of a chained file
	Last    bool   // last one to end on its page
	End     bool   // its page is the last of the stream
	Granule int64  // of the page; meaningful if Last
}

// Packets follows one logical stream at a time: the first of each link that the caller wants.
type Packets struct {
	pages  *Pages
	wanted func(first []byte) bool

	page   *Page
	seg    int    // next segment of page
	at     int    // its offset in Body
	serial uint32 // of the stream followed
	next   uint32 // expected page number
	state  state
	data   []byte
	open   bool // data holds the beginning of a packet
	begin  bool // the next packet is the first
}

type state int

const (
	looking   state = iota // for the first page of a wanted stream
	following              // one
	ended                  // it had its last page
)

// NewPackets reads packets of the streams whose first packet is wanted; other streams are passed over.
func NewPackets(p *Pages, wanted func(first []byte) bool) *Packets {
	return &Packets{pages: p, wanted: wanted}
}

// Next returns the next packet, io.EOF at the end of the file, ErrTruncated or ErrDamaged.
func (p *Packets) Next() (Packet, error) {
	for {
		if p.page == nil || p.seg == len(p.page.Lacing) {
			if err := p.turn(); err != nil {
				return Packet{}, err
			}
			continue
		}
		if p.take() {
			return p.packet(), nil
		}
	}
}

// turn finds the next page of the stream.
func (p *Packets) turn() error {
	if p.page != nil && p.page.Flags&End != 0 {
		p.state = ended
	}
	p.page = nil
	for {
		page, err := p.pages.Next()
		if err != nil {
			return p.final(err)
		}
		if p.state != following && page.Flags&Begin != 0 && p.wanted(firstPacket(page)) {
			p.enter(page)
			return nil
		}
		if p.state == following && page.Serial == p.serial {
			return p.follow(page)
		}
		if p.state == looking && page.Flags&Begin == 0 {
			return ErrUnwanted // the first pages of all streams come before everything else
		}
	}
}

// final turns what stopped the page reader into what it means for the stream.
func (p *Packets) final(err error) error {
	if p.state == ended && (errors.Is(err, ErrDamaged) || errors.Is(err, ErrTruncated)) {
		return io.EOF // tags or rubbish behind a finished stream
	}
	if errors.Is(err, io.EOF) && p.open {
		return ErrTruncated
	}
	return err
}

func (p *Packets) enter(page *Page) {
	p.page, p.seg, p.at = page, 0, 0
	p.serial, p.next = page.Serial, page.Sequence+1
	p.state, p.begin, p.open = following, true, false
	p.data = p.data[:0]
}

func (p *Packets) follow(page *Page) error {
	if page.Sequence != p.next || p.open != (page.Flags&Continued != 0) {
		return ErrDamaged
	}
	p.page, p.seg, p.at = page, 0, 0
	p.next++
	return nil
}

// take adds segments up to the end of a packet; false if the page ends first.
func (p *Packets) take() bool {
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

func (p *Packets) packet() Packet {
	last := true
	for _, l := range p.page.Lacing[p.seg:] {
		last = last && l == 255
	}
	k := Packet{
		Data: p.data, Begin: p.begin, Last: last, Granule: p.page.Granule,
		End: p.page.Flags&End != 0,
	}
	p.begin = false
	return k
}

// firstPacket is what the page holds of its first packet.
func firstPacket(page *Page) []byte {
	size := 0
	for _, l := range page.Lacing {
		size += int(l)
		if l < 255 {
			break
		}
	}
	return page.Body[:size]
}
