package main

import (
	"fmt"
	"os"
	"os/user"
	"strconv"
	"syscall"

	"munadi/appliance/config"
)

// checkOwner refuses to write as root into the data folder of another user, whose appliance could not open what root
// leaves there. Where there is a database, its owner is who runs the appliance.
func checkOwner(cfg *config.Config) error {
	if os.Geteuid() != 0 {
		return nil
	}
	for _, path := range []string{cfg.Database(), cfg.Data} {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		about, ok := info.Sys().(*syscall.Stat_t)
		if !ok || about.Uid == 0 {
			return nil
		}
		name := "#" + strconv.Itoa(int(about.Uid)) // as sudo takes a number
		if u, err := user.LookupId(name[1:]); err == nil {
			name = u.Username
		}
		return fmt.Errorf("%s belongs to user %s, whose appliance could not use what root leaves there; run this as that "+
			"user: sudo -u '%s' munadi …", cfg.Data, name, name)
	}
	return nil
}
