package badger

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"

	badgerdb "github.com/dgraph-io/badger/v4"
)

// markFile is the name of the marker file in the database's folder.
const markFile = "munadi.mark"

// commitMarker is a small file, separate from the log, with the number of the last acknowledged transaction, to detect
// a truncated log. Badger silently drops a damaged end of its log on opening, together with any counter in the
// database. The file is written after every commit and not synced: it is exact after the process was killed, and may
// lag behind after a power loss, but is never ahead, so it causes no false alarm.
type commitMarker struct{ file *os.File }

// markLayout is the file's one line: the number and its CRC-32C.
const markLayout = "%016x %08x\n"

// openMarker opens or creates the marker file of a folder and returns its number: 0 for a new or torn file.
func openMarker(dir string) (*commitMarker, uint64, error) {
	path := filepath.Join(dir, markFile)
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, fmt.Errorf("read the database's marker file munadi.mark: %w", err)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, 0, fmt.Errorf("open the database's marker file munadi.mark: %w", err)
	}
	return &commitMarker{file}, parseMarker(content), nil
}

// parseMarker parses the line; 0 when it is malformed.
func parseMarker(content []byte) uint64 {
	var number uint64
	var sum uint32
	if _, err := fmt.Sscanf(string(content), markLayout, &number, &sum); err != nil || sum != markerSum(number) {
		return 0
	}
	return number
}

// markerSum returns the checksum of a number.
func markerSum(number uint64) uint32 {
	return crc32.Checksum([]byte(encodeRank(number)), crc32.MakeTable(crc32.Castagnoli))
}

// writeNumber records the number of an acknowledged transaction; 0 is ignored. Errors are ignored, since the marker
// then only lags behind.
func (m *commitMarker) writeNumber(number uint64) {
	if m != nil && number > 0 {
		_, _ = m.file.WriteAt(fmt.Appendf(nil, markLayout, number, markerSum(number)), 0)
	}
}

// closeFile closes the file.
func (m *commitMarker) closeFile() {
	if m != nil {
		_ = m.file.Close() // the next commit rewrites it
	}
}

// commitsKey stores the number of the last transaction.
var commitsKey = []byte("commits")

// lastCommit returns the number of the last transaction in the database.
func lastCommit(txn *badgerdb.Txn) (uint64, error) {
	value, found, err := snapshotView{txn: txn}.rawValue(commitsKey) // unchecked: the marker reports losses
	if err != nil || !found {
		return 0, err
	}
	return decodeCounter(commitsKey, value)
}

// countLostTransactions returns the number of acknowledged transactions that the database no longer has, by its marker.
func countLostTransactions(db *badgerdb.DB, marked uint64) (uint64, error) {
	var last uint64
	err := db.View(func(txn *badgerdb.Txn) (err error) {
		last, err = lastCommit(txn)
		return err
	})
	if err != nil || last >= marked {
		return 0, err
	}
	return marked - last, nil
}
