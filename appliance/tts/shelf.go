package tts

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"munadi/appliance/models"
	"munadi/engine/checksum"
	"munadi/engine/voice"
)

// maxOpenVoices is how many neural voices stay open, some 200 MB each; more while more speak at once.
const maxOpenVoices = 3

// VoiceShelf holds the installed neural voices and those that are open. Chains share it, and it is safe for concurrent
// use. What is installed, selected or removed takes effect at once; a voice that speaks goes on until it has spoken.
type VoiceShelf struct {
	Folder models.ModelFolder
	// OpenVoice opens the voice in a folder.
	OpenVoice func(dir string) (*voice.NeuralVoice, error)
	Verifier  VoiceVerifier

	opening sync.Mutex // held while a voice is opened
	mu      sync.Mutex
	open    map[string]*openVoice // by stamp
}

// VoiceVerifier verifies the files of installed voices. A voice with a fault counts as not installed.
type VoiceVerifier interface {
	FindFault(name string) error // as last verified, unless a file was changed since
	VerifyNow(name string) error
}

// openVoice is a voice with those that use it.
type openVoice struct {
	*voice.NeuralVoice
	users int
	used  time.Time
}

// defaultName returns the installed voice that speaks when a call names none: the preferred one, else the selected one;
// empty without.
func (s *VoiceShelf) defaultName(preferred string) string {
	if s.stampOf(preferred) != "" {
		return preferred
	}
	folder, err := s.Folder.CurrentModel()
	if err != nil || folder == "" {
		return ""
	}
	return filepath.Base(folder)
}

// stampOf returns what identifies the files of an installed voice, the hash of their checksums; empty for none, and for
// damaged files.
func (s *VoiceShelf) stampOf(name string) string {
	if models.CheckName(name) != nil {
		return ""
	}
	list, err := os.ReadFile(filepath.Join(s.Folder.Folder(name), checksum.ListFile))
	if err != nil || s.Verifier.FindFault(name) != nil {
		return ""
	}
	sum := sha256.Sum256(list)
	return hex.EncodeToString(sum[:])
}

// acquireVoice returns an open voice; release must be called when it has spoken.
func (s *VoiceShelf) acquireVoice(name string) (v *voice.NeuralVoice, release func(), err error) {
	stamp := s.stampOf(name)
	if stamp == "" {
		return nil, nil, fmt.Errorf("the neural voice %q is not installed any more", name)
	}
	o := s.takeOpen(stamp)
	if o == nil {
		if o, err = s.verifyAndOpen(name, stamp); err != nil {
			return nil, nil, fmt.Errorf("the neural voice %s: %w", name, err)
		}
	}
	return o.NeuralVoice, func() { s.releaseVoice(o) }, nil
}

// verifyAndOpen opens an installed voice, one at a time, for its first user.
func (s *VoiceShelf) verifyAndOpen(name, stamp string) (*openVoice, error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	if o := s.takeOpen(stamp); o != nil { // another call has just opened it
		return o, nil
	}
	if err := s.Verifier.VerifyNow(name); err != nil {
		return nil, err
	}
	opened, err := s.OpenVoice(s.Folder.Folder(name))
	if err != nil {
		return nil, err
	}
	o := &openVoice{NeuralVoice: opened, users: 1}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		s.open = map[string]*openVoice{}
	}
	s.open[stamp] = o
	s.closeIdle()
	return o, nil
}

// takeOpen returns an open voice for one more user; nil if it is not open.
func (s *VoiceShelf) takeOpen(stamp string) *openVoice {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.open[stamp]
	if v != nil {
		v.users++
	}
	return v
}

func (s *VoiceShelf) releaseVoice(v *openVoice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v.users--
	v.used = time.Now()
	s.closeIdle()
}

// closeIdle closes the voices that were not used for longest while more than [maxOpenVoices] are open. The lock is
// held.
func (s *VoiceShelf) closeIdle() {
	for len(s.open) > maxOpenVoices {
		oldest := ""
		for stamp, v := range s.open {
			if v.users == 0 && (oldest == "" || v.used.Before(s.open[oldest].used)) {
				oldest = stamp
			}
		}
		if oldest == "" {
			return
		}
		_ = s.open[oldest].Close() // the memory stays used, at worst
		delete(s.open, oldest)
	}
}

// VoiceNames lists the installed voices.
func (s *VoiceShelf) VoiceNames() []string {
	return slices.DeleteFunc(s.Folder.InstalledNames(), func(name string) bool { return s.stampOf(name) == "" })
}

// describeVoice returns the description of an installed voice; the zero value if it cannot be read.
func (s *VoiceShelf) describeVoice(name string) voice.Config {
	c, err := voice.DescribeFolder(s.Folder.Folder(name))
	if err != nil {
		return voice.Config{}
	}
	return c
}
