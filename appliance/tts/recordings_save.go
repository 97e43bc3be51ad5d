package tts

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"

	"munadi/engine/arabic"
	"munadi/engine/audio"
	"munadi/store/disk"
)

// LongestRecording is the maximum duration of a recorded line.
const LongestRecording = longest

// ErrSilent means that a recording holds no sound.
var ErrSilent = errSilent

const (
	savedPrefix = "line-"
	savedSuffix = ".wav"
	sparedRoom  = 64 << 20 // bytes of the disk that recordings leave to the database
)

// savedName is the name of a saved recording of a normalized text, without suffix.
func savedName(folded string) string {
	sum := sha256.Sum256([]byte(folded))
	return savedPrefix + hex.EncodeToString(sum[:16])
}

func isSavedName(name string) bool {
	return strings.HasPrefix(name, savedPrefix) && strings.HasSuffix(name, savedSuffix)
}

// DecodeLine decodes an uploaded recording of a line (WAV, FLAC, MP3, Ogg or WebM) and returns it as WAV at [WideRate],
// without the silence at its ends. The error is a *audio.DecodeError or ErrSilent for a recording that cannot be used.
func DecodeLine(ctx context.Context, file io.ReadSeeker) ([]byte, error) {
	samples, err := audio.DecodeAll(ctx, file, audio.DecodeOptions{MaxDuration: longest, FFmpeg: "none"})
	if err != nil {
		return nil, err
	}
	samples = trimSilence(samples)
	if _, err := finishSound(samples); err != nil {
		return nil, err
	}
	var wav bytes.Buffer
	err = audio.WriteWAV(&wav, samples, WideRate)
	return wav.Bytes(), err
}

// HasRecording reports whether an organization has a recording of a text, and whether it was saved by SaveRecording.
func (r *LineRecordings) HasRecording(org, text string) (found, saved bool) {
	recorded := r.listTexts(org)
	name := recorded.byText[arabic.FoldSpelling(text)]
	return recorded.err == nil && name != "", isSavedName(name)
}

// CountSaved returns the number of an organization's saved recordings.
func (r *LineRecordings) CountSaved(org string) (n int, err error) {
	recorded := r.listTexts(org)
	for _, name := range recorded.byText {
		if isSavedName(name) {
			n++
		}
	}
	return n, recorded.err
}

// SaveRecording keeps a recording of a text, as WAV, over one that was saved before. confirm is called when it is
// written; with its error everything stays as it was.
func (r *LineRecordings) SaveRecording(org, text string, wav []byte, confirm func() error) error {
	folder, stem, err := r.pathOf(org, text)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	if err := disk.CheckRoom(folder, sparedRoom+uint64(len(wav))); err != nil {
		return err
	}
	sound, err := renameio.NewPendingFile(filepath.Join(folder, stem+savedSuffix), renameio.WithPermissions(0o600))
	if err != nil {
		return err
	}
	defer func() { _ = sound.Cleanup() }()
	if _, err := sound.Write(wav); err != nil {
		return err
	}
	if err := confirm(); err != nil {
		return err
	}
	// The text first: audio without a text would be orphaned.
	if err := renameio.WriteFile(filepath.Join(folder, stem+textExt), []byte(text), 0o600); err != nil {
		return err
	}
	return sound.CloseAtomicallyReplace()
}

// RemoveRecording removes the saved recording of a text, after confirm; fs.ErrNotExist without one.
func (r *LineRecordings) RemoveRecording(org, text string, confirm func() error) error {
	folder, stem, err := r.pathOf(org, text)
	if err != nil {
		return err
	}
	sound := filepath.Join(folder, stem+savedSuffix)
	if _, err := os.Stat(sound); err != nil {
		return err
	}
	if err := confirm(); err != nil {
		return err
	}
	if err := os.Remove(sound); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(folder, stem+textExt)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// pathOf returns the folder and the name of a saved recording; fs.ErrInvalid for an invalid organization or text.
func (r *LineRecordings) pathOf(org, text string) (folder, stem string, err error) {
	folded := arabic.FoldSpelling(text)
	folder, ok := r.folderOf(org)
	if !ok || folded == "" {
		return "", "", fs.ErrInvalid
	}
	return folder, savedName(folded), nil
}
