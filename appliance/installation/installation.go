// Package installation checks that the parts of an installation belong together: database, data folder, recordings and
// secret. Each carries the installation's id, or a value derived from the secret; a mismatch is refused at start, to
// protect the data from an appliance with a wrong or missing part.
//
//	database         a record with the id and the secret's check value ([store.InstallationRecord])
//	data folder      installation.id
//	recordings       .installation in each folder of recordings
//
// A part without an id is given one if the others show that it belongs to them: the parts of a new installation, data
// of an older version, or a restored backup.
//
// The package depends on the store's contract and auth, not on a database or the appliance.
package installation

import (
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/google/uuid"

	"munadi/appliance/auth"
	"munadi/store"
	"munadi/store/account"
)

// InstallationStore is the part of the store that this package uses.
type InstallationStore interface {
	store.InstallationStore
	ListOrganizations(ctx context.Context) ([]account.Organization, error)
}

// RecordingFolder is a folder of recordings; *[munadi/store/blob.RecordingFolder] is one.
type RecordingFolder interface {
	ReadOwner() (id string, marked bool, err error)
	SetOwner(id string) error
	FolderPath() string
}

// InstallationParts are the locations of the parts of an installation.
type InstallationParts struct {
	Data       string            // the data folder
	SecretFile string            // file of the secret
	Recordings []RecordingFolder // empty where only the database is used
}

// JoinedInstallation is an installation whose parts belong together.
type JoinedInstallation struct {
	ID     string
	Secret auth.InstallationSecret
	// MissingRecordings are the paths of folders that carry no id although the installation used them before: a
	// volume is not mounted, or the folder was removed. They stay unmarked until an operator accepts them.
	MissingRecordings []string
}

// JoinInstallation compares the parts, creates those missing in a new installation, and marks parts without an id. The
// caller has the database open. The error names the part that is missing or does not match, and the remedy.
func JoinInstallation(
	ctx context.Context, s InstallationStore, p InstallationParts, now time.Time,
) (JoinedInstallation, error) {
	record, marker, err := findRecord(ctx, s, p.Data)
	if err != nil {
		return JoinedInstallation{}, err
	}
	fresh, err := isNew(ctx, s, record)
	if err != nil {
		return JoinedInstallation{}, err
	}
	secret, err := loadSecret(p.SecretFile, fresh)
	if err != nil {
		return JoinedInstallation{}, err
	}
	id, err := claimInstallation(ctx, s, secret, p.SecretFile, now)
	if err != nil {
		return JoinedInstallation{}, err
	}
	joined := JoinedInstallation{ID: id, Secret: secret}
	if joined.MissingRecordings, err = joinFolders(p.Recordings, id, marker != ""); err != nil {
		return joined, err
	}
	if marker == "" && len(p.Recordings) > 0 { // a command without folders must not mark the installation for later ones
		return joined, writeMarker(p.Data, id)
	}
	return joined, nil
}

// CheckParts compares the parts as [JoinInstallation] does, and changes none.
func CheckParts(ctx context.Context, s InstallationStore, p InstallationParts) error {
	record, _, err := findRecord(ctx, s, p.Data)
	if err != nil {
		return err
	}
	if fresh, err := isNew(ctx, s, record); err != nil || fresh {
		return err
	}
	secret, err := loadSecret(p.SecretFile, false)
	if err != nil || record == nil { // nil: a database of an older version, to which any parts belong
		return err
	}
	if !hmac.Equal(record.SecretCheck, secret.CheckValue()) {
		return wrongSecret(p.SecretFile)
	}
	for _, folder := range p.Recordings {
		owner, _, err := folder.ReadOwner()
		if err == nil && owner != "" && owner != record.ID {
			err = otherRecordings(folder.FolderPath(), owner, record.ID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// findRecord returns the database's record, nil in a new one, and the id of the data folder, if it has one: they are
// the same.
func findRecord(
	ctx context.Context, s InstallationStore, data string,
) (record *store.InstallationRecord, marker string, err error) {
	if record, err = s.FindInstallation(ctx); err != nil {
		return nil, "", unreadableRecord(data, err)
	}
	if marker, err = readMarker(data); err != nil {
		return nil, "", err
	}
	if marker != "" && (record == nil || record.ID != marker) {
		return nil, "", otherDatabase(data, marker, record)
	}
	return record, marker, nil
}

// claimInstallation returns the id that the database records, a new one in a new database, and refuses a secret other
// than the installation's.
func claimInstallation(
	ctx context.Context, s InstallationStore, secret auth.InstallationSecret, secretFile string, now time.Time,
) (id string, err error) {
	fresh := store.InstallationRecord{ID: uuid.NewString(), SecretCheck: secret.CheckValue(), CreatedAt: now.UTC()}
	kept, err := s.ClaimInstallation(ctx, fresh)
	if err != nil {
		return "", fmt.Errorf("record the installation's id: %w", err)
	}
	if !hmac.Equal(kept.SecretCheck, secret.CheckValue()) {
		return "", wrongSecret(secretFile)
	}
	return kept.ID, nil
}

// isNew reports whether the store is empty.
func isNew(ctx context.Context, s InstallationStore, record *store.InstallationRecord) (bool, error) {
	if record != nil {
		return false, nil
	}
	all, err := s.ListOrganizations(ctx)
	return err == nil && len(all) == 0, err
}

// loadSecret reads the secret, or creates it.
func loadSecret(path string, create bool) (auth.InstallationSecret, error) {
	secret, err := auth.LoadSecret(path, create)
	if errors.Is(err, fs.ErrNotExist) {
		return secret, missingSecret(path, err)
	}
	return secret, err
}

// joinFolders joins all folders of recordings and returns the paths of the missing ones.
func joinFolders(folders []RecordingFolder, id string, before bool) (missing []string, err error) {
	for _, folder := range folders {
		away, err := joinRecordings(folder, id, before)
		if err != nil {
			return missing, err
		}
		if away {
			missing = append(missing, folder.FolderPath())
		}
	}
	return missing, nil
}

// joinRecordings compares a folder's id with the installation's and marks a folder that has none. missing is true for
// a folder without an id although the installation has been used before.
func joinRecordings(folder RecordingFolder, id string, before bool) (missing bool, err error) {
	owner, marked, err := folder.ReadOwner()
	switch {
	case err != nil:
		return false, err
	case owner == id:
		return false, nil
	case owner != "":
		return false, otherRecordings(folder.FolderPath(), owner, id)
	case before && !marked:
		return true, nil
	}
	return false, folder.SetOwner(id)
}
