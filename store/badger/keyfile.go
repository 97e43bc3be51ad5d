package badger

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// keyLength is the length of the encryption key in bytes: AES-256.
const keyLength = 32

// readKey reads a key file: 32 raw bytes, or 64 hex digits with optional white space around them.
func readKey(path string) ([]byte, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the database's key: %w", err)
	}
	if len(content) == keyLength {
		return content, nil
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(content)))
	if err != nil || len(key) != keyLength {
		return nil, store.Errorf(store.CodeKey,
			"the key file %s holds neither 32 bytes nor 64 hex digits (to create one: openssl rand -hex 32)", path)
	}
	return key, nil
}

// CheckKeyFile checks that a file holds an encryption key.
func CheckKeyFile(path string) error {
	_, err := readKey(path)
	return err
}

// explainKey converts Badger's key mismatch error into one that an operator can act on.
func explainKey(err error, dir string, given bool) error {
	if !errors.Is(err, badgerdb.ErrEncryptionKeyMismatch) {
		return fmt.Errorf("open the database in %s: %w", dir, err)
	}
	message := fmt.Sprintf("the database in %s is encrypted, and no key file was given; if it is not encrypted, its file "+
		"%s is damaged: restore a backup (munadi restore FILE --replace)", dir, badgerdb.KeyRegistryFileName)
	if given {
		message = fmt.Sprintf("the key file does not match the database in %s: "+
			"it is encrypted with another key, or not encrypted", dir)
	}
	return &store.Error{Code: store.CodeKey, Message: message, Err: err}
}
