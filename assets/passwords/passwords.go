// Package passwords holds the passwords that leak most often, as Django ships them (BSD-3-Clause, see LICENSE): the
// commonest 19,640 of those found in breaches, in lower case, one a line.
package passwords

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
)

//go:embed common-passwords.txt.gz
var packed []byte

// IsLeaked says whether a password in lower case is one of them. The list is unpacked at each question, some
// milliseconds, rather than kept: passwords are chosen rarely, and hashing one takes longer.
func IsLeaked(password string) (bool, error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return false, fmt.Errorf("read the list of common passwords: %w", err)
	}
	lines := bufio.NewScanner(unpacked)
	for lines.Scan() {
		if lines.Text() == password {
			return true, nil
		}
	}
	if err := lines.Err(); err != nil {
		return false, fmt.Errorf("read the list of common passwords: %w", err)
	}
	return false, nil
}
