package carrier

// KeySender is a line that sends DTMF digits to the remote side.
type KeySender interface {
	// SendKeys queues digits, 0-9 * # A-D, to be sent one after another; other characters are ignored.
	SendKeys(keys string)
}

// SendKeys sends DTMF digits over a line that can; on another they are dropped.
func SendKeys(l Line, keys string) {
	if s, can := l.(KeySender); can && keys != "" {
		s.SendKeys(keys)
	}
}
