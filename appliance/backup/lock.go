package backup

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"filippo.io/age"
)

// BackupLock defines how a backup is encrypted and decrypted: with a passphrase, with age keys, or not at all.
// Exactly one of these may be set.
type BackupLock struct {
	Passphrase string
	Recipients []age.Recipient // public keys to encrypt for
	Identities []age.Identity  // private keys to decrypt with
	Plain      bool            // not encrypted: anyone with the file can read everything

	work int // scrypt work factor of the passphrase, 0: age's default; tests use less
}

// minPassphrase is the shortest passphrase, in bytes, since the file can be attacked offline.
const minPassphrase = 12

// CheckCanClose returns an error if the lock cannot encrypt a backup.
func (l BackupLock) CheckCanClose() error {
	ways := 0
	for _, chosen := range []bool{l.Passphrase != "", len(l.Recipients) > 0, l.Plain} {
		if chosen {
			ways++
		}
	}
	switch {
	case ways == 0:
		return errors.New("a backup holds recordings, numbers and keys: say how it is encrypted, with a passphrase " +
			"(--passphrase-file or MUNADI_BACKUP_PASSPHRASE) or for an age key (--recipient); --plain does not encrypt")
	case ways > 1:
		return errors.New("choose one way to encrypt the backup: a passphrase, an age key, or --plain")
	case l.Passphrase != "" && len(l.Passphrase) < minPassphrase:
		return fmt.Errorf("the passphrase has %d bytes; at least %d are needed, since the file can be attacked offline",
			len(l.Passphrase), minPassphrase)
	}
	return nil
}

// canOpen reports whether the lock can decrypt its own output.
func (l BackupLock) canOpen() bool { return l.Plain || l.Passphrase != "" || len(l.Identities) > 0 }

// newEncrypter returns an encrypting writer; closing it does not close w.
func (l BackupLock) newEncrypter(w io.Writer) (io.WriteCloser, error) {
	if l.Plain {
		return nopCloseWriter{w}, nil
	}
	recipients := l.Recipients
	if l.Passphrase != "" {
		r, err := age.NewScryptRecipient(l.Passphrase)
		if err != nil {
			return nil, fmt.Errorf("encrypt with the passphrase: %w", err)
		}
		if l.work > 0 {
			r.SetWorkFactor(l.work)
		}
		recipients = []age.Recipient{r}
	}
	return age.Encrypt(w, recipients...)
}

// nopCloseWriter adds a no-op Close to a writer.
type nopCloseWriter struct{ io.Writer }

// Close implements io.Closer.
func (nopCloseWriter) Close() error { return nil }

// newDecrypter returns a reader of the decrypted content, or of the file itself if it is not encrypted.
func (l BackupLock) newDecrypter(r io.Reader) (io.Reader, error) {
	in := bufio.NewReader(r)
	if start, _ := in.Peek(len(magic)); bytes.Equal(start, []byte(magic)) {
		return in, nil
	}
	identities := l.Identities
	if l.Passphrase != "" {
		identity, err := age.NewScryptIdentity(l.Passphrase)
		if err != nil {
			return nil, fmt.Errorf("decrypt with the passphrase: %w", err)
		}
		identities = append(identities, identity)
	}
	if len(identities) == 0 {
		return nil, errors.New("the file is encrypted, or no backup; say how to decrypt it: a passphrase " +
			"(--passphrase-file or MUNADI_BACKUP_PASSPHRASE) or an age key (--identity)")
	}
	plain, err := age.Decrypt(in, identities...)
	if _, ok := errors.AsType[*age.NoIdentityMatchError](err); ok {
		return nil, errors.New("the passphrase or key does not open this file")
	}
	if err != nil {
		return nil, newDamagedError("it cannot be decrypted: %v", err)
	}
	return plain, nil
}

// ReadPassphrase reads a passphrase from the first line of a file.
func ReadPassphrase(path string) (string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read the passphrase: %w", err)
	}
	line, _, _ := strings.Cut(string(content), "\n")
	if line = strings.TrimSuffix(line, "\r"); line == "" {
		return "", fmt.Errorf("the passphrase file %s begins with an empty line", path)
	}
	return line, nil
}

// ReadIdentities reads a file of age private keys, one a line.
func ReadIdentities(path string) ([]age.Identity, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the age key: %w", err)
	}
	defer file.Close()
	identities, err := age.ParseIdentities(file)
	if err != nil {
		return nil, fmt.Errorf("read the age key in %s: %w", path, err)
	}
	return identities, nil
}

// AddRecipients adds public keys, each as text or file, see [ReadRecipients].
func (l *BackupLock) AddRecipients(given []string) error {
	for _, one := range given {
		some, err := ReadRecipients(one)
		if err != nil {
			return err
		}
		l.Recipients = append(l.Recipients, some...)
	}
	return nil
}

// ReadRecipients reads age public keys: one given as text ("age1…"), or a file of them, one a line.
func ReadRecipients(textOrPath string) ([]age.Recipient, error) {
	if strings.HasPrefix(textOrPath, "age1") {
		return age.ParseRecipients(strings.NewReader(textOrPath))
	}
	file, err := os.Open(textOrPath)
	if err != nil {
		return nil, fmt.Errorf("read the age public key: %w", err)
	}
	defer file.Close()
	recipients, err := age.ParseRecipients(file)
	if err != nil {
		return nil, fmt.Errorf("read the age public key in %s: %w", textOrPath, err)
	}
	return recipients, nil
}
