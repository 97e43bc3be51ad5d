package media

import (
	"bytes"
	"testing"
)

// Forged packets and packets with ever new SSRCs do not use memory.
func TestOpenerIsBounded(t *testing.T) {
	t.Parallel()
	key := bytes.Repeat([]byte{2}, keyLen+saltLen)
	o, err := newOpener(key, nil)
	if err != nil {
		t.Fatal(err)
	}
	first := o.unknown
	for ssrc := range uint32(tries) {
		if _, err := o.openRTP(make([]byte, 40), ssrc); err == nil {
			t.Fatal("zeros are a packet")
		}
	}
	if o.unknown == first || o.failed != 0 {
		t.Error("what forgers left behind is still there")
	}
	for ssrc := range uint32(5 * senders) {
		if err := o.addSender(ssrc); err != nil {
			t.Fatal(err)
		}
	}
	if len(o.known) != senders || o.known[senders-1].ssrc != 5*senders-1 {
		t.Errorf("%d senders are remembered", len(o.known))
	}
}
