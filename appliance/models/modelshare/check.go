package modelshare

import (
	"fmt"
	"strings"

	"munadi/appliance/admin"
)

// CheckShare is doctor's check of the shared models.
func (w *ShareWorker) CheckShare() admin.CheckFinding {
	s := w.CurrentStatus()
	f := admin.CheckFinding{Name: "models", State: admin.StateOK}
	switch {
	case len(s.Problems) > 0:
		f.State, f.Text = admin.StateFailed, joinProblems(s.Problems)
	case s.Transfer != nil:
		f.State, f.Text = admin.StateWarning, s.Transfer.String()
	case s.Seen.IsZero() || s.Away:
		f.State, f.Text = admin.StateWarning, "the bucket does not answer; the models of this machine are used"
	case len(s.Models) == 0:
		f.Text = "none in the bucket; a model installed on one appliance is shared with all"
	default:
		f.Text = fmt.Sprintf("%d in the bucket, all on this machine: %s", len(s.Models), strings.Join(s.Models, ", "))
	}
	return f
}

// String describes a transfer for people.
func (t ModelTransfer) String() string {
	verb := "fetched from"
	if t.Upload {
		verb = "uploaded to"
	}
	return fmt.Sprintf("%s is %s the bucket: %d of %d MB", t.Name, verb, t.Done/1e6, t.Size/1e6)
}
