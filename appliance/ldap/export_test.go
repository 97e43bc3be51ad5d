package ldap

import "time"

// SetPatience sets how long an exchange may take.
func (d *Directory) SetPatience(t time.Duration) { d.patience = t }
