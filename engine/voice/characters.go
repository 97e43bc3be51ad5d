package voice

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// encodeCharacters returns the ids of a sentence's characters between the marks of its language, <ar> and </ar>, as
// Supertonic's networks were trained with. Characters without an id are left out; missing lists each once.
func (c Config) encodeCharacters(text string) (ids []int64, missing []string) {
	sounds := false
	known := map[rune]bool{}
	for _, r := range "<" + c.Language + ">" + cleanCharacters(text) + "</" + c.Language + ">" {
		if id := c.characterID(r); id >= 0 {
			ids = append(ids, id)
		} else if !known[r] {
			known[r] = true
			missing = append(missing, string(r))
		}
	}
	for _, r := range text {
		sounds = sounds || (unicode.IsLetter(r) || unicode.IsDigit(r)) && c.characterID(r) >= 0
	}
	if !sounds {
		return nil, missing
	}
	return ids, missing
}

// characterID returns the id of a character; -1: it has none.
func (c Config) characterID(r rune) int64 {
	if int(r) >= len(c.Characters) {
		return -1
	}
	return int64(c.Characters[r])
}

// cleanCharacters writes a text as the networks know it: decomposed (NFKD), with plain quotes and dashes, without
// pictures, and with a mark at its end.
func cleanCharacters(text string) string {
	text = strings.Map(dropPictures, norm.NFKD.String(text))
	text = closedMarks.Replace(plainCharacters.Replace(text))
	text = strings.Join(strings.Fields(collapseQuotes(text)), " ")
	if last, _ := utf8.DecodeLastRuneInString(text); !strings.ContainsRune(endMarks, last) {
		text += "."
	}
	return text
}

var (
	plainCharacters = strings.NewReplacer(
		"–", "-", "\u2011", "-", "—", "-", "“", `"`, "”", `"`, "‘", "'", "’", "'", "`", "'",
		"_", " ", "[", " ", "]", " ", "|", " ", "/", " ", "#", " ", "→", " ", "←", " ", "@", " at ",
		"♥", "", "☆", "", "♡", "", "©", "", `\`, "",
	)
	closedMarks = strings.NewReplacer(" ,", ",", " .", ".", " !", "!", " ?", "?", " ;", ";", " :", ":", " '", "'")
)

// endMarks end a sentence.
const endMarks = `.!?;:,'")]}…。」』】〉》›»`

// pictures are emoji and symbols, which no voice says.
var pictures = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x2600, Hi: 0x27bf, Stride: 1}},
	R32: []unicode.Range32{
		{Lo: 0x1f1e6, Hi: 0x1f1ff, Stride: 1}, {Lo: 0x1f300, Hi: 0x1f64f, Stride: 1}, {Lo: 0x1f680, Hi: 0x1faff, Stride: 1},
	},
}

func dropPictures(r rune) rune {
	if unicode.Is(pictures, r) {
		return -1
	}
	return r
}

// collapseQuotes writes repeated quotes once.
func collapseQuotes(text string) string {
	last := rune(0)
	return strings.Map(func(r rune) rune {
		same := r == last && (r == '"' || r == '\'')
		if last = r; same {
			return -1
		}
		return r
	}, text)
}
