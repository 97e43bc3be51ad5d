package doctor

import (
	"fmt"

	"munadi/appliance/admin"
	"munadi/appliance/recognizer"
	"munadi/engine"
)

// ServingModel is the subject of CheckModel.
type ServingModel struct {
	Engine   *engine.Engine           // nil: the model is still being loaded
	Capacity *recognizer.LiveCapacity // of this machine; nil: not measured yet
	Lines    int                      // as set by the operator; 0: not set
	BuiltIn  bool
}

// CheckModel reports which model serves, how many calls this machine can recognize with it, and whether the setting
// lines is higher.
func CheckModel(m ServingModel) admin.CheckFinding {
	f := admin.CheckFinding{Name: "serving", State: admin.StateOK}
	if m.Engine == nil {
		f.State, f.Text = admin.StateWarning, recognizer.ErrLoading.Error()
		return f
	}
	info := m.Engine.ModelInfo()
	f.Text = fmt.Sprintf("%s, %s, %s, %d threads", info.Name, info.DescribePrecision(), info.Decoding, info.Threads)
	if len(info.Latencies) > 0 {
		f.Text += "; streaming, live-latency " + info.LatencyList(" or ")
	}
	if c := m.Capacity; c != nil {
		f.Text += "; this machine " + c.String()
		if m.Lines > c.Calls {
			f.State = admin.StateWarning
			f.Text += fmt.Sprintf("; the setting lines (%d) is higher: responses in calls may be delayed", m.Lines)
		}
	}
	f.Text += "; files " + info.DescribeChecksums()
	if len(info.Repaired) > 0 || info.Saturates {
		f.State = admin.StateWarning
	}
	if m.BuiltIn {
		f.Text += "; this is the built-in demo model: munadi model list shows others"
	}
	return f
}
