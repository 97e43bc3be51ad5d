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

// markFile is its name in the database's folder.
const markFile = "munadi.mark"

// commitMarker is a small file beside the log that holds the number of the last transaction that was acknowledged. Badger
// drops a damaged end of its log on opening without a word, and a counter inside the database would be dropped with
// it; a file of its own is not. It is written after every commit and not synced: a killed process leaves it right,
// and after a loss of power it may be behind, but never ahead, so it never accuses a whole database.
type commitMarker struct{ file *os.File }

// markLayout is the file's one line: the number and a checksum of its digits.
const markLayout = "%016x %08x\n"

// openMark opens the file of a folder, making it, and says which number it holds: 0 for none or one that is torn.
func openMark(dir string) (*commitMarker, uint64, error) {
	path := filepath.Join(dir, markFile)
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, fmt.Errorf("read the database's mark: %w", err)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, 0, fmt.Errorf("open the database's mark: %w", err)
	}
	return &commitMarker{file}, parseMark(content), nil
}

// parseMark reads the line.
func parseMark(content []byte) uint64 {
	var number uint64
	var sum uint32
	if _, err := fmt.Sscanf(string(content), markLayout, &number, &sum); err != nil || sum != markSum(number) {
		return 0
	}
	return number
}

// markSum is the checksum of a number.
func markSum(number uint64) uint32 {
	return crc32.Checksum([]byte(encodeRank(number)), crc32.MakeTable(crc32.Castagnoli))
}

// writeNumber records the number of an acknowledged transaction; 0 is none. A mark that cannot be written is only behind,
// so nobody is told.
func (m *commitMarker) writeNumber(number uint64) {
	if m != nil && number > 0 {
		_, _ = m.file.WriteAt(fmt.Appendf(nil, markLayout, number, markSum(number)), 0)
	}
}

// closeFile lets go of the file.
func (m *commitMarker) closeFile() {
	if m != nil {
		_ = m.file.Close() // the next commit repairs what this loses
	}
}

// commitsKey holds the number of the last transaction.
var commitsKey = []byte("commits")

// lastCommit is the number of the last transaction in the database.
func lastCommit(txn *badgerdb.Txn) (uint64, error) {
	value, found, err := snapshotView{txn: txn}.rawValue(commitsKey) // damage is not looked at: the mark tells of what is lost
	if err != nil || !found {
		return 0, err
	}
	return decodeCounter(commitsKey, value)
}

// countLost counts the acknowledged transactions that a database no longer has, by what its mark says.
func countLost(db *badgerdb.DB, marked uint64) (uint64, error) {
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
