package tts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"munadi/appliance/tts/voicepack"
	"munadi/engine/arabic"
)

const (
	listName = "texts.tsv" // lines of file name, tab, text
	textExt  = ".txt"      // file with the text of the recording of the same name
)

// LineRecordings are the operators' own recordings of lines, a folder per organization. It is safe for concurrent use.
type LineRecordings struct {
	folder string
	bundle *voicepack.VoicePack

	mu  sync.Mutex
	org map[string]shelfOfOrg
}

// shelfOfOrg is the cached content of an organization's folder.
type shelfOfOrg struct {
	changed time.Time // latest modification of the folder and its texts
	byText  map[string]string
}

// NewRecordings returns the recordings of a folder; empty: none.
func NewRecordings(folder string, bundle *voicepack.VoicePack) *LineRecordings {
	return &LineRecordings{folder: folder, bundle: bundle}
}

// operatorRecording is the recording of a text.
type operatorRecording struct {
	folder, name string
	size         int64
	changed      time.Time
}

func (r *operatorRecording) cacheKey() string {
	return fmt.Sprint(r.folder, "/", r.name, " ", r.size, " ", r.changed.UnixNano())
}

// recordedTexts are the recordings of an organization.
type recordedTexts struct {
	folder string
	byText map[string]string // file names by normalized text
	err    error             // of reading the folder
}

// findRecording returns the recording of a normalized text, nil without one.
func (t *recordedTexts) findRecording(folded string) (*operatorRecording, error) {
	name, found := t.byText[folded]
	if t.err != nil || !found {
		return nil, t.err
	}
	info, err := os.Stat(filepath.Join(t.folder, name))
	if err != nil {
		return nil, err
	}
	return &operatorRecording{t.folder, name, info.Size(), info.ModTime()}, nil
}

// listTexts returns an organization's recordings; none without the folder.
func (r *LineRecordings) listTexts(org string) *recordedTexts {
	folder, ok := r.folderOf(org)
	if !ok {
		return &recordedTexts{}
	}
	byText, err := r.loadTexts(org, folder)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return &recordedTexts{folder, byText, err}
}

// folderOf returns the folder of an organization's recordings; false for a malformed organization, and without folders.
func (r *LineRecordings) folderOf(org string) (string, bool) {
	plain := filepath.IsLocal(org) && !strings.ContainsAny(org, `/\`) && org != "."
	return filepath.Join(r.folder, org), plain && r.folder != ""
}

// loadTexts returns an organization's file names by normalized text, reloaded when the folder or a text has changed.
func (r *LineRecordings) loadTexts(org, folder string) (map[string]string, error) {
	changed, err := latestChange(folder)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if s, there := r.org[org]; there && s.changed.Equal(changed) {
		return s.byText, nil
	}
	byText, err := r.readFolder(folder)
	if err != nil {
		return nil, err
	}
	if r.org == nil {
		r.org = map[string]shelfOfOrg{}
	}
	r.org[org] = shelfOfOrg{changed, byText}
	return byText, nil
}

// latestChange returns the latest modification of the folder or a text in it.
func latestChange(folder string) (time.Time, error) {
	info, err := os.Stat(folder)
	if err != nil {
		return time.Time{}, err
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		return time.Time{}, err
	}
	changed := info.ModTime()
	for _, f := range files {
		if f.Name() != listName && path.Ext(f.Name()) != textExt {
			continue
		}
		if info, err = f.Info(); err == nil && info.ModTime().After(changed) {
			changed = info.ModTime()
		}
	}
	return changed, nil
}

// readFolder reads a folder. os.Root keeps symbolic links from leading out of it.
func (r *LineRecordings) readFolder(folder string) (map[string]string, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	files, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, err
	}
	texts, err := readIndex(root)
	if err != nil {
		return nil, err
	}
	byText := map[string]string{}
	for _, f := range files {
		stem, ext := cutExt(f.Name())
		if f.IsDir() || !isSoundFile(ext) {
			continue
		}
		said := texts[stem]
		if own, err := root.ReadFile(stem + textExt); err == nil {
			said = string(own)
		}
		if c, prompt := r.bundle.Clip(stem); said == "" && prompt {
			said = c.Text
		}
		folded := arabic.FoldSpelling(said)
		if folded != "" && !isSavedName(byText[folded]) { // a saved recording has priority over the operator's files
			byText[folded] = f.Name()
		}
	}
	return byText, nil
}

// readIndex reads texts.tsv, if it exists.
func readIndex(root *os.Root) (map[string]string, error) {
	data, err := root.ReadFile(listName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	texts := map[string]string{}
	for line := range strings.Lines(string(data)) {
		name, said, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if stem, ext := cutExt(name); isSoundFile(ext) {
			name = stem
		}
		texts[name] = said
	}
	return texts, err
}

func cutExt(name string) (stem, ext string) {
	ext = path.Ext(name)
	return strings.TrimSuffix(name, ext), strings.ToLower(ext)
}

func isSoundFile(ext string) bool { return ext == ".wav" || ext == ".flac" || ext == ".mp3" }

// loadSound decodes the recording.
func (r *operatorRecording) loadSound(ctx context.Context) (SpokenSound, error) {
	root, err := os.OpenRoot(r.folder)
	if err != nil {
		return SpokenSound{}, err
	}
	defer func() { _ = root.Close() }()
	f, err := root.Open(r.name)
	if err != nil {
		return SpokenSound{}, err
	}
	defer f.Close()
	sound, err := decodeRecording(ctx, f)
	if err != nil {
		return SpokenSound{}, fmt.Errorf("recording %s: %w", r.name, err)
	}
	return sound, nil
}
