package tablefile_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	badgerdb "github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"munadi/store/badger/tablefile"
)

// writeTable returns the file of a table of several blocks, written by Badger.
func writeTable(t testing.TB, compression options.CompressionType, keys int) []byte {
	t.Helper()
	dir := t.TempDir()
	db, err := badgerdb.Open(badgerdb.DefaultOptions(dir).WithLogger(nil).WithCompression(compression).WithMemTableSize(8 << 20))
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(txn *badgerdb.Txn) error {
		for i := range keys {
			if err := txn.Set(fmt.Appendf(nil, "key/%04d", i), fmt.Appendf(nil, "value %d of some length %064x", i, i*i)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || db.Close() != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	content, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// TestEveryFlippedBitIsNoticed: flipped bits of blocks and of the index are detected, for every compression.
func TestEveryFlippedBitIsNoticed(t *testing.T) {
	t.Parallel()
	for _, c := range []options.CompressionType{options.None, options.Snappy} {
		form := tablefile.TableForm{Compression: c}
		whole := writeTable(t, c, 400)
		table, err := tablefile.ParseTable(whole, form)
		if err != nil || table.DamagedBlocks() != nil || len(table.ListBlocks()) < 3 {
			t.Fatalf("a whole table: %v, damaged %v", err, table.DamagedBlocks())
		}
		for at := 0; at < 8*len(whole); at += 1009 {
			content := bytes.Clone(whole)
			content[at/8] ^= 1 << (at % 8)
			damaged, err := tablefile.ParseTable(content, form)
			if err == nil && len(damaged.DamagedBlocks()) == 0 && !slices.Equal(damaged.BlockContents(), table.BlockContents()) {
				t.Errorf("bit %d of %d was flipped, and nothing notices", at, 8*len(whole))
			}
		}
	}
}

// TestWithout: a table without some blocks is valid and has the others.
func TestWithout(t *testing.T) {
	t.Parallel()
	form := tablefile.TableForm{Compression: options.Snappy}
	table, err := tablefile.ParseTable(writeTable(t, options.Snappy, 400), form)
	if err != nil {
		t.Fatal(err)
	}
	content, err := table.WithoutBlocks([]int{1})
	if err != nil {
		t.Fatal(err)
	}
	less, err := tablefile.ParseTable(content, form)
	if err != nil || less.DamagedBlocks() != nil || less.MaxVersion() != table.MaxVersion() {
		t.Fatalf("without a block: %v, damaged %v", err, less.DamagedBlocks())
	}
	all := slices.Delete(slices.Clone(table.ListBlocks()), 1, 2)
	if !slices.EqualFunc(less.ListBlocks(), all, func(a, b tablefile.TableBlock) bool { return bytes.Equal(a.FirstKey, b.FirstKey) }) {
		t.Error("the blocks are others")
	}
	every := make([]int, len(table.ListBlocks()))
	if _, err := table.WithoutBlocks(every); err == nil {
		t.Error("a table without any block was made")
	}
}

// FuzzParse: no bytes cause a panic, and the rest of a damaged table is valid.
func FuzzParse(f *testing.F) {
	for _, c := range []options.CompressionType{options.None, options.Snappy} {
		f.Add(writeTable(f, c, 60), byte(c), false)
	}
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00\x00"), byte(0), true)
	f.Fuzz(func(t *testing.T, content []byte, compression byte, encrypted bool) {
		form := tablefile.TableForm{Compression: options.CompressionType(compression % 4)}
		if encrypted {
			form.Key = bytes.Repeat([]byte("k"), 32)
		}
		table, err := tablefile.ParseTable(content, form)
		if err != nil {
			return
		}
		damaged := table.DamagedBlocks()
		if less, err := table.WithoutBlocks(damaged); err == nil {
			if again, err := tablefile.ParseTable(less, form); err != nil || len(again.DamagedBlocks()) > 0 {
				t.Errorf("without its damaged blocks: %v", err)
			}
		}
	})
}
