package badger

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"munadi/store"
)

// printLength is how many bytes of a list's fingerprint stand in its cursors.
const printLength = 6

// cursor names a place in one list: a fingerprint of the list, so that no other takes it, and the last item's place
// in its index. A place never changes, so that what is added meanwhile moves nothing.
func cursor(list []string, place string) string {
	mark := fingerprint(list)
	return base64.RawURLEncoding.EncodeToString(append(mark[:printLength:printLength], place...))
}

// placeOfCursor is the place that a cursor of this list names; empty for the beginning.
func placeOfCursor(list []string, cursor string) (string, error) {
	if cursor == "" {
		return "", nil
	}
	content, err := base64.RawURLEncoding.DecodeString(cursor)
	mark := fingerprint(list)
	if err != nil || len(content) <= printLength || string(content[:printLength]) != string(mark[:printLength]) {
		return "", store.Errorf(store.CodeInvalid, "this is no cursor of this list")
	}
	return string(content[printLength:]), nil
}

// fingerprint tells lists apart.
func fingerprint(list []string) [sha256.Size]byte {
	return sha256.Sum256([]byte(strings.Join(list, "\x00")))
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
