package ldap

import "time"

// SetPatience sets how long an exchange may take.
func (d *Directory) SetPatience(t time.Duration) { d.patience = t }

// ExplainRefusal returns the reason of a refused password.
var ExplainRefusal = explainRefusal
