package modelhub

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"munadi/engine/voice"
)

// KnownVoice is a neural voice on the hub.
type KnownVoice struct {
	Name, About, Language       string
	Repository, Voice, Revision string
	Megabytes                   int // to download, 10^6 bytes, about
}

// KnownVoices lists the Arabic voices of Piper's collection, and two of Supertonic's (the revision is the one that its
// runtime 1.3.1 names). Their licences are on their cards, which a pull shows.
func KnownVoices() []KnownVoice {
	const (
		piper, first      = "rhasspy/piper-voices", "v1.0.0"
		supertonic, third = "Supertone/supertonic-3", "724fb5abbf5502583fb520898d45929e62f02c0b"
	)
	return []KnownVoice{
		{"ar_JO-kareem-medium", "Arabic, a man; 22.05 kHz", "ar", piper, "ar_JO-kareem-medium", first, 63},
		{"ar_JO-kareem-low", "Arabic, a man; 16 kHz", "ar", piper, "ar_JO-kareem-low", first, 63},
		{"supertonic-3-F1", "a woman, reads characters; 44.1 kHz", "ar", supertonic, "F1", third, 400},
		{"supertonic-3-M1", "a man, reads characters; 44.1 kHz", "ar", supertonic, "M1", third, 400},
	}
}

// VoiceName names a voice on the hub: a repository, one of its voices (empty: its only one), and a revision.
type VoiceName struct{ Repository, Voice, Revision string }

var validVoice = regexp.MustCompile(`^[\p{L}0-9][\p{L}0-9._+-]{0,120}$`)

// ParseVoiceName splits ORGANIZATION/NAME[:VOICE][@REVISION], or takes the name of a known voice.
func ParseVoiceName(text string) (VoiceName, error) {
	asked, revision, _ := strings.Cut(text, "@")
	repository, speaker, _ := strings.Cut(asked, ":")
	for _, k := range KnownVoices() {
		if k.Name == asked {
			repository, speaker, revision = k.Repository, k.Voice, cmp.Or(revision, k.Revision)
		}
	}
	if !validName.MatchString(repository) || speaker != "" && !validVoice.MatchString(speaker) {
		return VoiceName{}, newFault(BadName,
			"%q is not the name of a voice: use ORGANIZATION/NAME:VOICE, or a name that munadi voice list shows", text)
	}
	if revision != "" {
		if _, _, err := ParseName(repository + "@" + revision); err != nil {
			return VoiceName{}, err
		}
	}
	return VoiceName{repository, speaker, revision}, nil
}

// voiceFile is a network in Piper's layout; its description has the same name and .json.
var voiceFile = regexp.MustCompile(`^[\p{L}0-9][\p{L}0-9._+/-]{0,250}\.onnx$`)

// styleFile is the style of a voice in Supertonic's layout.
var styleFile = regexp.MustCompile(`^voice_styles/[\p{L}0-9][\p{L}0-9._+-]{0,120}\.json$`)

// FindVoice is [Hub.Find] for a voice in Piper's or Supertonic's layout; its first file gives its name. The licence is
// the one of the voice's card, else the repository's.
func (h *Hub) FindVoice(ctx context.Context, n VoiceName) (*Model, error) {
	m, err := h.findFiles(ctx, n.Repository, n.Revision, func(names []string) ([]string, error) {
		return chooseVoice(names, n)
	})
	if err != nil {
		return nil, err
	}
	for _, f := range m.Files {
		if isVoiceCard(f.Name) {
			card, err := h.readCard(ctx, m, f)
			if err != nil {
				return nil, err
			}
			m.License = cmp.Or(FindLicense(card), m.License)
		}
	}
	return m, nil
}

// chooseVoice selects the files of one voice: its network, its description and its card, if it has one; or its style
// and the networks of all styles.
func chooseVoice(names []string, n VoiceName) ([]string, error) {
	var found, voices []string
	networks := characterFiles(names)
	for _, name := range names {
		isVoice := voiceFile.MatchString(name) && !strings.Contains(name, "..") && slices.Contains(names, name+".json")
		if !isVoice && (networks == nil || !styleFile.MatchString(name)) {
			continue
		}
		voices = append(voices, strings.TrimSuffix(path.Base(name), path.Ext(name)))
		if n.Voice == "" || voices[len(voices)-1] == n.Voice {
			found = append(found, name)
		}
	}
	if len(found) != 1 {
		slices.Sort(voices)
		return nil, newFault(NothingToImport, "%s has %d voices (NAME.onnx with NAME.onnx.json, or "+
			"voice_styles/NAME.json) of this name, want one: give ORGANIZATION/NAME:VOICE; it has %s", n.Repository,
			len(found), listNames(voices))
	}
	if styleFile.MatchString(found[0]) {
		return append(found, networks...), nil
	}
	files := []string{found[0], found[0] + ".json"}
	if card := path.Join(path.Dir(found[0]), "MODEL_CARD"); slices.Contains(names, card) {
		files = append(files, card)
	}
	return files, nil
}

// characterFiles returns the files of a voice in Supertonic's layout that all its styles share, with the licence if
// there is one; nil where one is missing.
func characterFiles(names []string) (files []string) {
	for _, name := range voice.CharacterVoiceFiles() {
		if name = path.Join("onnx", name); !slices.Contains(names, name) {
			return nil
		}
		files = append(files, name)
	}
	if slices.Contains(names, "LICENSE") {
		files = append(files, "LICENSE")
	}
	return files
}

func isVoiceCard(name string) bool { return path.Base(name) == "MODEL_CARD" }

// maxCard is the largest size of a voice's card in bytes.
const maxCard = 256 << 10

// readCard reads a voice's card.
func (h *Hub) readCard(ctx context.Context, m *Model, f File) ([]byte, error) {
	r, err := h.resolveFile(ctx, m, f.Name, 0)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r.body, maxCard))
	return text, errors.Join(err, r.body.Close())
}

// licenseLine is the line of a card, or of a README's head, that names the licence.
var licenseLine = regexp.MustCompile(`(?im)^[\s*#-]*licen[cs]e[\s*]*:[\s*]*(\S[^\r\n]*)$`)

// FindLicense returns the licence that a card names; empty if it names none.
func FindLicense(card []byte) string {
	found := licenseLine.FindSubmatch(card)
	if found == nil {
		return ""
	}
	return sanitizeText(strings.Trim(string(found[1]), " *`\"'"))
}
