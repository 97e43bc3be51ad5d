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

// checkOwner refuses to write as root into another user's data folder, since that user's appliance could not open
// root's files. If there is a database, its owner counts.
func checkOwner(cfg *config.Config) error {
	name, foreign := folderOwner(cfg.DatabaseFolder(), cfg.Data)
	if !foreign {
		return nil
	}
	return fmt.Errorf("%s belongs to user %s, whose appliance could not open files created by root; run the "+
		"command as that user: sudo -u '%s' munadi …", cfg.Data, name, name)
}

// folderOwner returns the owner of the first of the paths that exists, in sudo's notation; foreign means that this
// process runs as root and the owner is another user.
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

// ownerOf returns the user id of a folder's owner.
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

// openEngine opens the model. Root unpacks it to its own cache folder if the cache belongs to another user.
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
