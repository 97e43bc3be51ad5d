package audio

import (
	"errors"
	"io"

	"munadi/engine/audio/internal/ogg"
)

// decodeOgg decodes all links of a (chained) Ogg file; it runs in the child.
func decodeOgg(pages *ogg.PageReader, out sampleSink, channel ChannelChoice) error {
	d := &oggDecoder{out: out, channel: channel}
	defer d.close()
	packets := ogg.NewPackets(pages, func(first []byte) bool { return codecOf(first, channel) != nil })
	for {
		p, err := packets.Next()
		if errors.Is(err, io.EOF) {
			return d.flushPage()
		}
		if errors.Is(err, ogg.ErrUnwanted) {
			return &foreignCodec{"Ogg with a codec other than Vorbis and Opus"}
		}
		if err == nil {
			err = d.decodePacket(p)
		}
		if err != nil {
			return errors.Join(childFault(err), d.flushPage())
		}
	}
}

// oggDecoder decodes the links in order.
type oggDecoder struct {
	out     sampleSink
	channel ChannelChoice
	codec   packetDecoder
	rate    int  // of the first link
	sound   bool // the headers have been read
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

func (d *oggDecoder) decodePacket(p ogg.OggPacket) error {
	if p.Begin {
		if err := d.flushPage(); err != nil {
			return err
		}
		d.close()
		d.codec = codecOf(p.Data, d.channel)
		d.sound, d.placed, d.pos = false, false, 0
	}
	if !d.sound {
		return d.parseHeader(p)
	}
	pcm, err := d.codec.decodePacket(p.Data)
	if err != nil {
		return err
	}
	d.page = append(d.page, pcm...)
	if !p.Last {
		return nil
	}
	from, to := d.keptRange(p, int64(len(d.page)))
	return d.passSamples(d.page[from:to])
}

func (d *oggDecoder) parseHeader(p ogg.OggPacket) error {
	done, err := d.codec.parseHeader(p.Data)
	if err != nil || !done {
		return err
	}
	d.sound, d.drop = true, d.codec.delaySamples()
	rate := d.codec.sampleRate()
	if d.rate == 0 {
		d.rate = rate
		return d.out.writeFormat(d.codec.soundFormat("Ogg"), rate)
	}
	if rate != d.rate {
		return newDamagedFault("its sample rate changes", nil)
	}
	return nil
}

// keptRange returns which of the n samples of a page are kept, by its granule position: the last page may end within a
// packet (RFC 7845 §4.4, Vorbis I §A.2), and a Vorbis stream may begin within one.
func (d *oggDecoder) keptRange(p ogg.OggPacket, n int64) (from, to int64) {
	to = n
	end := p.Granule / d.codec.granuleUnit()
	if p.Granule < 0 {
		d.pos += n
		return 0, n
	}
	if !d.placed {
		d.placed = true
		d.pos = end - n
		if d.pos < 0 && !p.End && d.codec.granuleUnit() == 1 {
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

// passSamples writes samples without the pre-skip, and clears the page.
func (d *oggDecoder) passSamples(pcm []float32) error {
	cut := min(d.drop, len(pcm))
	d.drop -= cut
	err := d.out.writeSamples(pcm[cut:])
	d.page = d.page[:0]
	return err
}

// flushPage writes the samples decoded before an error or the end of a link.
func (d *oggDecoder) flushPage() error {
	if len(d.page) == 0 {
		return nil
	}
	return d.passSamples(d.page)
}
