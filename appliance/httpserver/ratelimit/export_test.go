package ratelimit

// Buckets counts those that are kept.
func (l *KeyLimiter) Buckets() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.buckets)
}
