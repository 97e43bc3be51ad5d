package installation

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"

	"munadi/store"
)

// MarkerFile is the file in the data folder that holds the installation's id.
const MarkerFile = "installation.id"

// RecordingFolders lists the folders of the data folder that hold recordings of calls and of live sessions.
func RecordingFolders() []string { return []string{"recordings", "live"} }

// maxCounted is the number of recordings at which counting stops.
const maxCounted = 10_000

// CheckDatabase refuses to create an embedded database if the data folder shows that there was one: if its volume
// is not mounted, or a restore was interrupted, an empty database would cause the recordings of the lost one to be
// removed as orphans.
func CheckDatabase(data, database string) error {
	if hasDatabase(database) {
		return nil
	}
	var traces []string
	if id, err := readMarker(data); err != nil {
		return err
	} else if id != "" {
		traces = append(traces, MarkerFile)
	}
	if n := countRecordings(data); n > 0 {
		traces = append(traces, fmt.Sprintf("%d recordings", n))
	}
	if len(traces) == 0 {
		return nil
	}
	return store.Errorf(
		store.CodeConflict,
		"the database is missing: %s contains none, but the data folder %s contains %s of an "+
			"installation. Mount the volume of the database, or restore a backup (munadi restore FILE --replace). To start "+
			"with an empty database, use another data folder",
		database,
		data,
		strings.Join(traces, " and "),
	)
}

// hasDatabase reports whether a folder holds files of a database. Lock files and lost+found do not count.
func hasDatabase(folder string) bool {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist) // opening it reports the error
	}
	for _, e := range entries {
		switch e.Name() {
		case "LOCK", "munadi.lock", "lost+found":
		default:
			return true
		}
	}
	return false
}

// countRecordings counts the recordings of a data folder, up to [maxCounted].
func countRecordings(data string) (n int) {
	for _, folder := range RecordingFolders() {
		_ = filepath.WalkDir(filepath.Join(data, folder), func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && filepath.Ext(path) == ".wav" {
				n++
			}
			if n >= maxCounted {
				return fs.SkipAll
			}
			return nil // unreadable files are not counted
		})
	}
	return n
}

// readMarker reads the installation id of a data folder; empty without one.
func readMarker(data string) (string, error) {
	content, err := os.ReadFile(filepath.Join(data, MarkerFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read which installation the data folder belongs to: %w", err)
	}
	return strings.TrimSpace(string(content)), nil
}

// writeMarker writes the installation id of a data folder.
func writeMarker(data, id string) error {
	if err := renameio.WriteFile(filepath.Join(data, MarkerFile), []byte(id+"\n"), 0o600); err != nil {
		return fmt.Errorf("mark the data folder: %w", err)
	}
	return nil
}

// PrepareData creates the data folder, readable by this user alone, unless it exists, and logs a warning if other users
// may write to it.
func PrepareData(data string, log *slog.Logger) error {
	if err := os.MkdirAll(data, 0o700); err != nil {
		return ExplainDataError(data, err)
	}
	if err := CheckPermissions(data); err != nil {
		log.Warn("unsafe permissions", "error", err)
	}
	return nil
}

// CheckPermissions returns an error if every user of the machine may write to the data folder: they could then replace
// the secret, the database or the libraries in its cache, whatever the permissions of these are.
func CheckPermissions(data string) error {
	const writeByOthers, sticky = 0o002, os.ModeSticky
	info, err := os.Stat(data)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&writeByOthers == 0 || info.Mode()&sticky != 0 {
		return nil
	}
	return fmt.Errorf("every user of this machine may replace files in the data folder %s (mode %04o); run: chmod o-w %s",
		data, info.Mode().Perm(), data)
}
