package checksum

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"
)

// ListFile is the name of a folder's list of checksums; sha256sum -c reads it too.
const ListFile = "munadi.sha256"

// DamagedError means that a file of a folder is not the one whose checksum was recorded.
type DamagedError struct{ File, Reason string }

func (e *DamagedError) Error() string { return e.File + " " + e.Reason }

// RecordFolder writes the checksums of a folder's files into it, with a comment that says when.
func RecordFolder(dir, comment string) error {
	names, err := listFiles(dir)
	if err != nil {
		return err
	}
	var list bytes.Buffer
	fmt.Fprintf(&list, "# %s\n", comment)
	for _, name := range names {
		sum, err := SumFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%s  %s\n", sum, name)
	}
	return renameio.WriteFile(filepath.Join(dir, ListFile), list.Bytes(), 0o600)
}

// VerifyFolder compares a folder's files with its list. It returns the list's comment, false without a list, and a
// [DamagedError] for the first file that differs, is missing or is not listed; those that mayAppear need not be.
func VerifyFolder(dir string, mayAppear ...string) (comment string, listed bool, err error) {
	text, err := os.ReadFile(filepath.Join(dir, ListFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	comment, sums, err := parseList(text)
	if err != nil {
		return "", true, err
	}
	for _, name := range mayAppear {
		sums[name] = ""
	}
	names, err := listFiles(dir)
	if err != nil {
		return "", true, err
	}
	for _, name := range names {
		want, known := sums[name]
		delete(sums, name)
		if !known {
			return "", true, &DamagedError{name, "is not in " + ListFile + ", the list of the folder's checksums"}
		}
		if got, err := SumFile(filepath.Join(dir, name)); err != nil {
			return "", true, err
		} else if got != want && want != "" {
			return "", true, &DamagedError{name, "is damaged: its SHA-256 is " + got + ", but " + want + " was recorded"}
		}
	}
	for name, want := range sums {
		if want != "" {
			return "", true, &DamagedError{name, "is missing"}
		}
	}
	return comment, true, nil
}

// parseList parses a list of checksums and its first comment.
func parseList(text []byte) (comment string, sums map[string]string, err error) {
	sums = map[string]string{}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if note, ok := strings.CutPrefix(lines.Text(), "# "); ok {
			comment = note
			continue
		}
		sum, name, ok := strings.Cut(lines.Text(), "  ")
		if b, err := hex.DecodeString(sum); !ok || err != nil || len(b) != 32 || name == "" {
			return "", nil, &DamagedError{ListFile, "is damaged: it has a line that is no checksum"}
		}
		sums[name] = sum
	}
	return comment, sums, nil
}

// listFiles returns the names of a folder's regular files, links to such included, without its list of checksums.
func listFiles(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		st, err := os.Stat(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		if st.Mode().IsRegular() && e.Name() != ListFile {
			names = append(names, e.Name())
		}
	}
	return names, nil
}
