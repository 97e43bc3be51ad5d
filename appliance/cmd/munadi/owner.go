package main

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"munadi/appliance"
	"munadi/appliance/config"
	"munadi/engine"
)

// checkOwner refuses to write as root into the data folder of another user, whose appliance could not open what root
// leaves there. Where there is a database, its owner is who runs the appliance.
func checkOwner(cfg *config.Config) error {
	name, foreign := folderOwner(cfg.DatabaseFolder(), cfg.Data)
	if !foreign {
		return nil
	}
	return fmt.Errorf("%s belongs to user %s, whose appliance could not use what root leaves there; run this as that "+
		"user: sudo -u '%s' munadi …", cfg.Data, name, name)
}

// folderOwner is the user to whom the first of the paths that there is belongs, as sudo takes it; foreign says that we
// are root, and that it is another.
func folderOwner(paths ...string) (name string, foreign bool) {
	for _, path := range paths {
		uid, err := ownerOf(path)
		if err != nil {
			continue
		}
		if uid == 0 || os.Geteuid() != 0 {
			return "", false
		}
		id := strconv.Itoa(uid)
		if u, err := user.LookupId(id); err == nil {
			return u.Username, true
		}
		return "#" + id, true
	}
	return "", false
}

// ownerOf is whose a folder is.
func ownerOf(path string) (uid int, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid), nil
	}
	return os.Geteuid(), nil
}

// openEngine opens the model. Root unpacks it into a folder of its own where the cache is another user's.
func openEngine(cfg *config.Config) (*engine.Engine, error) {
	guest := *cfg
	if _, foreign := folderOwner(cfg.CacheDir(), cfg.Data); foreign {
		own, err := os.UserCacheDir()
		if err != nil {
			own = os.TempDir()
		}
		guest.Cache = filepath.Join(own, "munadi")
	}
	return appliance.OpenEngine(&guest)
}
