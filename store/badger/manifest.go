package badger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	badgerdb "github.com/dgraph-io/badger/v4"
)

// readFolder reads the list of tables and their encryption keys with the key of the options.
func readFolder(dir string, opt OpenOptions) (folderState, error) {
	key, err := keyOf(opt)
	if err != nil {
		return folderState{}, err
	}
	return readManifest(dir, key)
}

// readManifest reads the list of tables and their encryption keys.
func readManifest(dir string, key []byte) (state folderState, err error) {
	file, err := os.Open(filepath.Join(dir, badgerdb.ManifestFilename))
	if err != nil {
		return state, fmt.Errorf("read the database's MANIFEST: %w", err)
	}
	defer file.Close()
	manifest, _, err := badgerdb.ReplayManifestFile(file, 0, badgerdb.DefaultOptions(dir).WithLogger(nil))
	if err != nil {
		return state, folderFault(dir, "its file MANIFEST cannot be read", err)
	}
	state.manifest = manifest
	state.registry, err = badgerdb.OpenKeyRegistry(
		badgerdb.KeyRegistryOptions{Dir: dir, ReadOnly: true, EncryptionKey: key},
	)
	if err != nil && !errors.Is(err, badgerdb.ErrEncryptionKeyMismatch) {
		err = folderFault(dir, "its file "+badgerdb.KeyRegistryFileName+" cannot be read", err)
	}
	if err != nil {
		return state, err
	}
	defer func() { _ = state.registry.Close() }() // opened for reading only
	for id, t := range manifest.Tables {
		if _, err := state.registry.DataKey(t.KeyID); err != nil {
			return state, folderFault(dir, fmt.Sprintf("the key of table %s is missing from its file %s", tableName(id),
				badgerdb.KeyRegistryFileName), err)
		}
	}
	return state, nil
}

// tableName returns the file name of a table.
func tableName(id uint64) string { return fmt.Sprintf("%06d%s", id, tableSuffix) }
