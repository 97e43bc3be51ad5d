package record

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"munadi/store"
)

// printLength is the length of the fingerprint in a cursor, in bytes.
const printLength = 6

// EncodeCursor returns the pagination cursor of a list position: a fingerprint of list and position, followed by the
// last item's position in its index. The fingerprint rejects cursors of other lists and damaged ones. Positions never
// change, so new items do not shift pages.
func EncodeCursor(list []string, place string) string {
	mark := cursorFingerprint(list, place)
	return base64.RawURLEncoding.EncodeToString(append(mark[:printLength:printLength], place...))
}

// PlaceOfCursor returns the position in a cursor of this list; empty for the beginning.
func PlaceOfCursor(list []string, cursor string) (string, error) {
	if cursor == "" {
		return "", nil
	}
	content, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(content) <= printLength {
		return "", errCursor
	}
	place := string(content[printLength:])
	if mark := cursorFingerprint(list, place); string(content[:printLength]) != string(mark[:printLength]) {
		return "", errCursor
	}
	return place, nil
}

var errCursor = store.Errorf(store.CodeInvalid,
	"this is not a cursor of this list: use meta.next_cursor of its previous page, with the same filter")

// cursorFingerprint hashes a list's identity and a position in it.
func cursorFingerprint(list []string, place string) [sha256.Size]byte {
	return sha256.Sum256([]byte(strings.Join(list, "\x00") + "\x00" + place))
}

// maxPage is the maximum page size.
const maxPage = 200

// CheckLimit validates a page size.
func CheckLimit(limit int) error {
	if limit < 1 || limit > maxPage {
		return store.Errorf(store.CodeInvalid, "the limit of a page must be 1 to %d", maxPage)
	}
	return nil
}
