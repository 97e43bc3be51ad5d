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

// ReportShown calls Shown, if there is one.
func (r DialRequest) ReportShown(number string) {
	if r.Shown != nil {
		r.Shown(number)
	}
}

// UnreadCounter is a line that runs on while its frames are not read.
type UnreadCounter interface {
	// CountUnread returns the number of frames that wait to be read.
	CountUnread() int
}

// CountUnread returns the number of frames of a line that wait to be read; 0 for a line that waits for its reader.
func CountUnread(l Line) int {
	if c, can := l.(UnreadCounter); can {
		return c.CountUnread()
	}
	return 0
}
