package badger

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"munadi/store"
)

// printLength is how many bytes of a fingerprint stand in a cursor.
const printLength = 6

// encodeCursor names a place in one list: the last item's place in its index, and before it a fingerprint of the list and
// the place, so that no other list takes it and none takes what was cut or altered on its way. A place never changes,
// so that what is added meanwhile moves nothing.
func encodeCursor(list []string, place string) string {
	mark := cursorFingerprint(list, place)
	return base64.RawURLEncoding.EncodeToString(append(mark[:printLength:printLength], place...))
}

// placeOfCursor is the place that a cursor of this list names; empty for the beginning.
func placeOfCursor(list []string, cursor string) (string, error) {
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

var errCursor = store.Errorf(store.CodeInvalid, "this is no cursor of this list")

// cursorFingerprint tells lists apart, and places in them.
func cursorFingerprint(list []string, place string) [sha256.Size]byte {
	return sha256.Sum256([]byte(strings.Join(list, "\x00") + "\x00" + place))
}

// maxPage is the longest page.
const maxPage = 200

// checkLimit judges the length of a page.
func checkLimit(limit int) error {
	if limit < 1 || limit > maxPage {
		return store.Errorf(store.CodeInvalid, "a page has 1 to %d items", maxPage)
	}
	return nil
}
