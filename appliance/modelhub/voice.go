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
)

// KnownVoice is a neural voice in Piper's layout.
type KnownVoice struct {
	Name, About, Language string
	Repository, Revision  string
	Megabytes             int // to download, 10^6 bytes, about
}

// KnownVoices lists the Arabic voices of Piper's collection. Their licences are on their cards, which a pull shows.
func KnownVoices() []KnownVoice {
	const repository, revision = "rhasspy/piper-voices", "v1.0.0"
	return []KnownVoice{
		{"ar_JO-kareem-medium", "Arabic, a man; 22.05 kHz", "ar", repository, revision, 63},
		{"ar_JO-kareem-low", "Arabic, a man; 16 kHz", "ar", repository, revision, 63},
	}
}

// VoiceName names a voice on the hub: a repository, one of its voices (empty: its only one), and a revision.
type VoiceName struct{ Repository, Voice, Revision string }

var validVoice = regexp.MustCompile(`^[\p{L}0-9][\p{L}0-9._+-]{0,120}$`)

// ParseVoiceName splits ORGANIZATION/NAME[:VOICE][@REVISION], or takes the name of a known voice.
func ParseVoiceName(text string) (VoiceName, error) {
	asked, revision, _ := strings.Cut(text, "@")
	repository, voice, _ := strings.Cut(asked, ":")
	for _, k := range KnownVoices() {
		if k.Name == asked {
			repository, voice, revision = k.Repository, k.Name, cmp.Or(revision, k.Revision)
		}
	}
	if !validName.MatchString(repository) || voice != "" && !validVoice.MatchString(voice) {
		return VoiceName{}, newFault(BadName,
			"%q is not the name of a voice: use ORGANIZATION/NAME:VOICE, or a name that munadi voice list shows", text)
	}
	if revision != "" {
		if _, _, err := ParseName(repository + "@" + revision); err != nil {
			return VoiceName{}, err
		}
	}
	return VoiceName{repository, voice, revision}, nil
}

// voiceFile is a network in Piper's layout; its description has the same name and .json.
var voiceFile = regexp.MustCompile(`^[\p{L}0-9][\p{L}0-9._+/-]{0,250}\.onnx$`)

// FindVoice is [Hub.Find] for a voice in Piper's layout. The licence is the one of the voice's card, else the
// repository's.
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

// chooseVoice selects the files of one voice: its network, its description and its card, if it has one.
func chooseVoice(names []string, n VoiceName) ([]string, error) {
	var found, voices []string
	for _, name := range names {
		if !voiceFile.MatchString(name) || strings.Contains(name, "..") || !slices.Contains(names, name+".json") {
			continue
		}
		voices = append(voices, strings.TrimSuffix(path.Base(name), ".onnx"))
		if n.Voice == "" || voices[len(voices)-1] == n.Voice {
			found = append(found, name)
		}
	}
	if len(found) != 1 {
		slices.Sort(voices)
		return nil, newFault(NothingToImport, "%s has %d voices (NAME.onnx with NAME.onnx.json) of this name, want one: "+
			"give ORGANIZATION/NAME:VOICE; it has %s", n.Repository, len(found), listNames(voices))
	}
	files := []string{found[0], found[0] + ".json"}
	if card := path.Join(path.Dir(found[0]), "MODEL_CARD"); slices.Contains(names, card) {
		files = append(files, card)
	}
	return files, nil
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
