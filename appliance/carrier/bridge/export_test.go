package bridge

// HasSound reports whether the far side has made a sound.
func (b *Bridge) HasSound() bool { return b.heard }
