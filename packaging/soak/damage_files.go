package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// fileFault is a way to damage a file.
type fileFault string

const (
	flippedBit  fileFault = "flipped bit"
	cutOff      fileFault = "cut off"
	deletedFile fileFault = "deleted"
)

var fileFaults = []fileFault{flippedBit, cutOff, deletedFile}

// damageCase is one damaged file.
type damageCase struct {
	kind  string
	fault fileFault
	file  string // path in the installation's folder
}

// String names the case.
func (c damageCase) String() string { return fmt.Sprintf("%s, %s (%s)", c.kind, c.fault, c.file) }

// Kinds of files that are looked at in a way of their own.
const (
	kindBackup    = "backup file"
	kindModel     = "unpacked model"
	kindInstalled = "installed model"
	kindLibrary   = "ONNX Runtime"
	kindLog       = "memtable log"
	kindRecording = "recording"
)

// listKinds lists the files of an installation by kind, without locks and our log.
func listKinds(folder string) (map[string][]string, error) {
	kinds := map[string][]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		aside := []string{"LOCK", "munadi.lock", "munadi.log"}
		if err != nil || !entry.Type().IsRegular() || slices.Contains(aside, entry.Name()) {
			return err
		}
		file, err := filepath.Rel(folder, path)
		kinds[kindOf(file)] = append(kinds[kindOf(file)], file)
		return err
	})
	return kinds, err
}

// kindOf returns the kind of a file; one that has no other name has its own.
func kindOf(file string) string {
	base := filepath.Base(file)
	switch under := func(folder string) bool { return strings.HasPrefix(file, folder) }; {
	case under("data/db/") && filepath.Ext(base) == ".sst":
		return "table"
	case under("data/db/") && filepath.Ext(base) == ".mem":
		return kindLog
	case under("data/db/") && filepath.Ext(base) == ".vlog":
		return "value log"
	case under("data/recordings/") && filepath.Ext(base) == ".wav":
		return kindRecording
	case under("data/models/" + ownModel + "/"):
		return kindInstalled
	case under("cache/model-"):
		return kindModel
	case under("cache/libonnxruntime"):
		return kindLibrary
	case file == backupFile:
		return kindBackup
	}
	return base
}

// damageFile damages a file. What is flipped or cut off was written: files of the database are allocated in advance,
// with zeros.
func (f fileFault) damageFile(path string, random *rand.Rand) error {
	if f == deletedFile {
		return os.Remove(path)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	written := len(bytes.TrimRight(content, "\x00"))
	if written == 0 {
		written = len(content)
	}
	if written == 0 {
		return fmt.Errorf("%s is empty", path)
	}
	at := random.IntN(written)
	if err := os.Chmod(path, 0o700); err != nil { // ONNX Runtime is read-only
		return err
	}
	if f == cutOff {
		return os.Truncate(path, int64(at))
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // what was written is written
	_, err = file.WriteAt([]byte{content[at] ^ 1<<random.IntN(8)}, int64(at))
	return err
}
