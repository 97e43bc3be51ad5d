package installation

import (
	"path/filepath"

	"munadi/store"
)

// otherDatabase refuses a database of another installation than the data folder's.
func otherDatabase(data, marker string, record *store.InstallationRecord) error {
	found := "a new one, or one of an older version without an installation's id"
	if record != nil {
		found = "that of installation " + record.ID
	}
	return store.Errorf(
		store.CodeConflict,
		"the database does not belong to the data folder: %s names installation %s, and "+
			"the database is %s. Mount the right volume, correct --data or --store, or restore a backup (munadi restore FILE "+
			"--replace). If this is the right database, remove %[1]s",
		filepath.Join(data, MarkerFile),
		marker,
		found,
	)
}

// otherRecordings refuses recordings of another installation: none of them belongs to a call here, so that all would
// be removed as orphans.
func otherRecordings(folder, owner, id string) error {
	return store.Errorf(store.CodeConflict, "the recordings in %s belong to installation %s, and the database is that of "+
		"installation %s. Mount the right volume, or correct --data or --recordings. If this is the right folder, empty the "+
		"file %s", folder, owner, id, filepath.Join(folder, ".installation"))
}

// missingSecret refuses to create a new secret for a database that was used with another one.
func missingSecret(path string, cause error) error {
	return &store.Error{
		Code: store.CodeKey,
		Message: "the installation's secret " + path + " is missing: without it no API " +
			"key, session or link of this database is valid. Put the file back, set its path with --secret-file, or " +
			"restore a backup, which contains it (munadi restore FILE --replace)",
		Err: cause,
	}
}

// wrongSecret refuses a secret other than the one that the database was used with.
func wrongSecret(path string) error {
	return store.Errorf(
		store.CodeKey,
		"the installation's secret %s is not the one that this database was used with: no API "+
			"key, session or link would be valid. Put the right file back, set its path with --secret-file, or "+
			"restore a backup, "+
			"which contains it (munadi restore FILE --replace)",
		path,
	)
}
