package installation

import (
	"fmt"
	"log/slog"
	"os"
)

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
