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
	ctx context.Context,
	s InstallationStore,
	p InstallationParts,
	now time.Time,
) (JoinedInstallation, error) {
	record, err := s.FindInstallation(ctx)
	if err != nil {
		return JoinedInstallation{}, fmt.Errorf("read which installation the database belongs to: %w", err)
	}
	marker, err := readMarker(p.Data)
	if err != nil {
		return JoinedInstallation{}, err
	}
	if marker != "" && (record == nil || record.ID != marker) {
		return JoinedInstallation{}, otherDatabase(p.Data, marker, record)
	}
	secret, err := loadSecret(ctx, s, record, p.SecretFile)
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

// loadSecret reads the secret. It is created only for an empty store.
func loadSecret(
	ctx context.Context,
	s InstallationStore,
	record *store.InstallationRecord,
	path string,
) (auth.InstallationSecret, error) {
	empty := false
	if record == nil {
		all, err := s.ListOrganizations(ctx)
		if err != nil {
			return auth.InstallationSecret{}, err
		}
		empty = len(all) == 0
	}
	secret, err := auth.LoadSecret(path, empty)
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
