package model

import (
	"bufio"
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"munadi/engine/tokenizer"
)

// parseVocabulary reads vocab.txt or tokens.txt: a line "piece id" per piece, ids ascending from 0, the blank "<blk>"
// last. It returns the pieces without the blank.
func parseVocabulary(b []byte) ([]string, error) {
	var pieces []string
	sc := bufio.NewScanner(bytes.NewReader(b))
	for line := 1; sc.Scan(); line++ {
		text := strings.TrimRight(sc.Text(), "\r")
		if text == "" {
			continue
		}
		i := strings.LastIndexByte(text, ' ')
		if i < 0 {
			return nil, fmt.Errorf("vocabulary line %d: want \"piece id\", have %q", line, text)
		}
		id, err := strconv.Atoi(text[i+1:])
		if err != nil || id != len(pieces) {
			return nil, fmt.Errorf("vocabulary line %d: id is %q, want %d", line, text[i+1:], len(pieces))
		}
		pieces = append(pieces, text[:i])
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("vocabulary: %w", err)
	}
	n := len(pieces)
	if n < 2 || (pieces[n-1] != "<blk>" && pieces[n-1] != "<blank>") {
		return nil, fmt.Errorf("vocabulary: the last piece must be the blank \"<blk>\"")
	}
	return pieces[:n-1], nil
}

// sameVocabulary refuses a folder whose vocabulary differs from its tokenizer's, since texts would be decoded to wrong
// words. Pieces in angle brackets may be written differently.
func sameVocabulary(file string, pieces []string, t *tokenizer.Tokenizer) error {
	if t.VocabularySize() != len(pieces) {
		return fmt.Errorf(
			"%s has %d pieces, tokenizer.model %d: they are of different models", file, len(pieces), t.VocabularySize(),
		)
	}
	for id, p := range pieces {
		if q := t.PieceText(id); p != q && !strings.HasPrefix(p, "<") && !strings.HasPrefix(q, "<") {
			return fmt.Errorf("piece %d is %q in %s and %q in tokenizer.model: they are of different models", id, p, file, q)
		}
	}
	return nil
}
