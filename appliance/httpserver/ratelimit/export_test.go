package ratelimit

// BucketCount counts those that are kept.
func (l *KeyLimiter) BucketCount() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.buckets)
}
