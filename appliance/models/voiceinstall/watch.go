package voiceinstall

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"munadi/appliance/models"
	"munadi/engine/checksum"
)

const (
	lookEvery   = time.Minute // at the size and the time of the voices' files
	verifyEvery = time.Hour   // by their checksums, changed or not: a disk damages files that nobody writes
)

// VoiceWatch verifies the files of installed voices and keeps what it found, so that a page need not read them. It is
// safe for concurrent use.
type VoiceWatch struct {
	Voices models.ModelFolder
	Warn   func(message string) // sets the health warning; an empty message clears it
	Log    *slog.Logger

	mu       sync.Mutex
	verified map[string]voiceFault // by the voice's name
}

// voiceFault is the result of a verification: nil for intact files.
type voiceFault struct {
	stamp string // of the files that were verified
	err   error
}

// VerifyVoice verifies the files in the folder of a voice by its list of checksums, without which no voice speaks.
func VerifyVoice(folder string) error {
	_, listed, err := checksum.VerifyFolder(folder)
	if err == nil && !listed {
		err = &checksum.DamagedError{File: checksum.ListFile, Reason: "is missing, the list of the checksums"}
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w; install the voice again: munadi voice use built-in if it is in use, munadi voice remove, "+
		"then munadi voice pull or import", err)
}

// Run verifies all installed voices at the start, every hour, and those with changed files within a minute, until ctx
// ends.
func (w *VoiceWatch) Run(ctx context.Context) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	look := w.VerifyNow
	for last := time.Now(); ; {
		for _, name := range w.Voices.InstalledNames() {
			if ctx.Err() == nil {
				_ = look(name) // the warning says it
			}
		}
		w.warn()
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
		if look = w.FindFault; time.Since(last) >= verifyEvery {
			look, last = w.VerifyNow, time.Now()
		}
	}
}

// VerifyNow verifies the files of an installed voice.
func (w *VoiceWatch) VerifyNow(name string) error {
	folder := w.Voices.Folder(name)
	found := voiceFault{stamp: stampFiles(folder)}
	found.err = VerifyVoice(folder)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return found.err // it was removed meanwhile
	}
	w.mu.Lock()
	before := w.verified[name]
	if w.verified == nil {
		w.verified = map[string]voiceFault{}
	}
	w.verified[name] = found
	w.mu.Unlock()
	if found.err != nil && (before.err == nil || before.err.Error() != found.err.Error()) {
		w.Log.Error("the files of a neural voice are damaged", "voice", name, "err", found.err)
	}
	w.warn()
	return found.err
}

// FindFault returns what is wrong with the files of an installed voice: what the last verification found, unless the
// size or the time of a file has changed since.
func (w *VoiceWatch) FindFault(name string) error {
	w.mu.Lock()
	last, known := w.verified[name]
	w.mu.Unlock()
	if known && last.stamp == stampFiles(w.Voices.Folder(name)) {
		return last.err
	}
	return w.VerifyNow(name)
}

// warn sets the health warning to the faults of the voices that are still installed.
func (w *VoiceWatch) warn() {
	installed := w.Voices.InstalledNames()
	w.mu.Lock()
	defer w.mu.Unlock()
	var faults []string
	for _, name := range installed {
		if err := w.verified[name].err; err != nil {
			faults = append(faults, fmt.Sprintf("the neural voice %s does not speak: %v", name, err))
		}
	}
	for name := range w.verified {
		if !slices.Contains(installed, name) {
			delete(w.verified, name)
		}
	}
	w.Warn(strings.Join(faults, "; "))
}

// stampFiles returns names, sizes and times of the files in a folder.
func stampFiles(folder string) string {
	entries, _ := os.ReadDir(folder) // one that can't be read has no files; its verification says why
	var stamp strings.Builder
	for _, e := range entries {
		if st, err := e.Info(); err == nil {
			fmt.Fprintln(&stamp, e.Name(), st.Size(), st.ModTime().UnixNano())
		}
	}
	return stamp.String()
}
