package audio

import (
	"errors"
	"io"

	"munadi/engine/audio/internal/ogg"
)

// decodeOgg decodes every link of an Ogg file, in the child.
func decodeOgg(pages *ogg.Pages, out sink, channel Channel) error {
	d := &oggDecoder{out: out, channel: channel}
	defer d.close()
	packets := ogg.NewPackets(pages, func(first []byte) bool { return codecOf(first, channel) != nil })
	for {
		p, err := packets.Next()
		if errors.Is(err, io.EOF) {
			return d.flush()
		}
		if errors.Is(err, ogg.ErrUnwanted) {
			return &foreignCodec{"Ogg with a codec other than Vorbis and Opus"}
		}
		if err == nil {
			err = d.packet(p)
		}
		if err != nil {
			return errors.Join(childFault(err), d.flush())
		}
	}
}

// oggDecoder decodes one link after another.
type oggDecoder struct {
	out     sink
	channel Channel
	codec   packetDecoder
	rate    int  // of the first link
	sound   bool // headers are read
	pos     int64
	placed  bool      // pos is known
	drop    int       // samples still to drop: Opus's pre-skip
	page    []float32 // samples of the packets that ended on this page so far
}

func (d *oggDecoder) close() {
	if d.codec != nil {
		d.codec.close()
	}
}

func (d *oggDecoder) packet(p ogg.Packet) error {
	if p.Begin {
		if err := d.flush(); err != nil {
			return err
		}
		d.close()
		d.codec = codecOf(p.Data, d.channel)
		d.sound, d.placed, d.pos = false, false, 0
	}
	if !d.sound {
		return d.header(p)
	}
	pcm, err := d.codec.decode(p.Data)
	if err != nil {
		return err
	}
	d.page = append(d.page, pcm...)
	if !p.Last {
		return nil
	}
	from, to := d.keep(p, int64(len(d.page)))
	return d.give(d.page[from:to])
}

func (d *oggDecoder) header(p ogg.Packet) error {
	done, err := d.codec.header(p.Data)
	if err != nil || !done {
		return err
	}
	d.sound, d.drop = true, d.codec.delay()
	rate := d.codec.rate()
	if d.rate == 0 {
		d.rate = rate
		return d.out.format(d.codec.format("Ogg"), rate)
	}
	if rate != d.rate {
		return damaged("its sample rate changes", nil)
	}
	return nil
}

// keep says which of the n samples of a page count, by its granule position: the last page may end within a packet
// (RFC 7845 §4.4, Vorbis I §A.2), and a Vorbis stream may begin within one.
func (d *oggDecoder) keep(p ogg.Packet, n int64) (from, to int64) {
	to = n
	end := p.Granule / d.codec.unit()
	if p.Granule < 0 {
		d.pos += n
		return 0, n
	}
	if !d.placed {
		d.placed = true
		d.pos = end - n
		if d.pos < 0 && !p.End && d.codec.unit() == 1 {
			from = min(n, -d.pos)
		}
		d.pos = max(0, d.pos)
	}
	if p.End && end < d.pos+n {
		to = max(from, end-d.pos)
	}
	d.pos = end
	return from, to
}

// give passes samples on, less the pre-skip, and empties the page.
func (d *oggDecoder) give(pcm []float32) error {
	cut := min(d.drop, len(pcm))
	d.drop -= cut
	err := d.out.samples(pcm[cut:])
	d.page = d.page[:0]
	return err
}

// flush passes on what came before a break.
func (d *oggDecoder) flush() error {
	if len(d.page) == 0 {
		return nil
	}
	return d.give(d.page)
}
