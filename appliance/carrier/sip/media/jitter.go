package media

import "munadi/appliance/carrier"

const (
	window = 8192 // samples that are held at most: 1 s, a power of two
	begin  = 480  // samples of delay at the start: 60 ms
)

// jitter puts sound back in order and in time. Its places are time stamps: sequence numbers also count packets that
// have no time of their own, such as those of keys.
type jitter struct {
	ring    [window]int16
	have    [window]bool
	head    uint32 // time stamp of the sample that is played next
	running bool
}

func (j *jitter) push(stamp uint32, payload []byte, decode *[256]int16) {
	if !j.running {
		j.running, j.head = true, stamp-begin
	}
	at := int(int32(stamp - j.head))
	for k, b := range payload {
		if at+k < 0 || at+k >= window {
			continue
		}
		place := (stamp + uint32(k)) % window
		j.ring[place], j.have[place] = decode[b], true
	}
}

func (j *jitter) pull(frame []int16) {
	if !j.running {
		return
	}
	for k := range frame {
		place := (j.head + uint32(k)) % window
		if j.have[place] {
			frame[k] = j.ring[place]
		}
		j.have[place] = false
	}
	j.head += carrier.Samples
}
