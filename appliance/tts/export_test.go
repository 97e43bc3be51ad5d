package tts

// CloseVoices closes the voices that are not in use.
func (s *VoiceShelf) CloseVoices() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for stamp, v := range s.open {
		if v.users == 0 {
			_ = v.Close()
			delete(s.open, stamp)
		}
	}
}
