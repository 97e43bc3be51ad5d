package mp3

// decodeGranules decodes the main data of a frame.
func (d *FrameDecoder) decodeGranules(h *frameHeader, info *sideInfo, main []byte, pcm []float32) error {
	r, padded := newBitReader(main, d.padded)
	d.padded = padded
	for g := range h.granuleCount() {
		if err := d.decodeGranule(h, &info.granules[g], r, pcm[g*lines:(g+1)*lines]); err != nil {
			return err
		}
	}
	return nil
}

// decodeGranule decodes 576 samples.
func (d *FrameDecoder) decodeGranule(h *frameHeader, channels *[2]granuleInfo, r *bitReader, pcm []float32) error {
	var used [2]int
	for c := range h.channels {
		n, err := d.decodeChannel(h, &channels[c], r, c)
		if err != nil {
			return err
		}
		used[c] = n
	}
	if h.channels == 2 && (h.midSide || h.intensity) {
		most := decodeStereo(h, &channels[1], d.bands, &d.scales[1], &d.lines, used)
		used = [2]int{most, most}
	}
	d.renderSound(h, channels, used, pcm)
	return nil
}

// decodeChannel reads the lines of one channel and scales them.
func (d *FrameDecoder) decodeChannel(h *frameHeader, g *granuleInfo, r *bitReader, c int) (used int, err error) {
	end := r.pos + g.bits
	if end > r.end {
		return 0, ErrDamaged
	}
	s := &d.scales[c]
	if h.isLowSampling() {
		s.readLSF(g, r, c == 1 && h.intensity)
	} else {
		s.readMPEG1(g, r)
	}
	d.bands = g.bandLayout(h, d.bands)
	x := &d.lines[c]
	if used, err = d.readSpectrum(g, r, end, x); err != nil {
		return 0, err
	}
	r.pos = end
	g.requantizeLines(x, used, d.bands, s)
	return used, nil
}

// renderSound synthesizes samples from the lines of the chosen channel, or from the mean of all.
func (d *FrameDecoder) renderSound(h *frameHeader, channels *[2]granuleInfo, used [2]int, pcm []float32) {
	out := d.hybrid.overlap
	d.hybrid.overlap = [subbands][slots]float32{}
	from, to := 0, h.channels
	if d.chosen >= 0 {
		from = min(d.chosen, h.channels-1)
		to = from + 1
	}
	scale := 1 / float32(to-from)
	for c := from; c < to; c++ {
		g, x := &channels[c], &d.lines[c]
		top := d.prepareSubbands(h, g, x, used[c])
		for k := range x[:top*slots] {
			x[k] *= scale
		}
		d.hybrid.transformBands(g, x, top, &out, &d.hybrid.overlap)
	}
	var in [subbands]float32
	for t := range slots {
		for sb := range in {
			if in[sb] = out[sb][t]; sb&t&1 == 1 {
				in[sb] = -in[sb] // frequency inversion of odd subbands
			}
		}
		d.synth.synthesizeSlot(&in, pcm[32*t:])
	}
}

// prepareSubbands prepares the lines for the transform and returns the number of subbands that are not silent.
func (d *FrameDecoder) prepareSubbands(h *frameHeader, g *granuleInfo, x *[lines]float32, used int) int {
	top := (used + slots - 1) / slots
	alias := min(top+1, subbands)
	if g.block == blockShort {
		d.bands = g.bandLayout(h, d.bands)
		reorderShort(x, d.bands)
		top, alias = subbands, 0
		if g.mixed {
			alias = 2
		}
	}
	d.hybrid.undoAliasing(x, alias)
	return max(top, alias)
}
