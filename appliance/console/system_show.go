package console

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/engine"
	"munadi/ui/page"
	"munadi/ui/part"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// system shows the appliance itself. What lies below the service is for those who govern it.
func (s *Service) system(c echo.Context) error {
	v, vitals := visiting(c), s.Vitals()
	w := text.SystemIn(v.Lang)
	p := page.System{
		ConsolePage: s.frame(c, shell.System, w.Title), Started: vitals.Started, Address: s.PublicURL(),
		Encrypted: s.encrypted(v.Lang), Local: s.root() != nil,
		Sources: vitals.Sources, Zone: time.UTC,
	}
	if vitals.Model != nil {
		p.Model, p.Label = modelFacts(*vitals.Model, w), labelOf(*vitals.Model, v.Lang)
	}
	for _, worker := range vitals.Workers {
		p.Workers = append(p.Workers, page.Worker{Name: worker.Name, Fault: worker.Fault != ""})
	}
	p.Line = lineOf(vitals.Trunk, v.User.Governs())
	if v.User.Governs() {
		p.Inside = insideOf(vitals, w)
	}
	return show(c, http.StatusOK, page.SystemPage(p))
}

// lineOf is how the trunk is doing. Whose it is, and what it says, is for who governs the appliance.
func lineOf(t *Trunk, governs bool) *page.Line {
	if t == nil {
		return nil
	}
	line := &page.Line{Up: t.Up, Since: t.Since, Registers: t.Registers, Registered: t.Registered}
	if governs {
		line.Trunk, line.Fault = t.Address, t.Fault
	}
	return line
}

func modelFacts(m engine.Info, w text.System) []page.Fact {
	return []page.Fact{
		{Name: w.Name, Value: m.Name},
		{Name: w.Layout, Value: m.Layout},
		{Name: w.Decoding, Value: m.Decoding},
		{Name: w.Precision, Value: m.Precision},
		{Name: w.Vocabulary, Value: strconv.Itoa(m.Vocabulary)},
		{Name: w.Size, Value: size(m.Bytes)},
		{Name: w.Threads, Value: strconv.Itoa(m.Threads)},
	}
}

// labelOf is what the model says of itself in a language, a sentence a line.
func labelOf(m engine.Info, l text.Lang) []string {
	if label := strings.TrimSpace(m.Label[string(l)]); label != "" {
		return strings.Split(label, "\n")
	}
	return text.DefaultLabel(l)
}

func backupsOf(b Backups, w text.System) page.Backups {
	out := page.Backups{Last: b.Last, Next: b.Next, Fault: b.Fault, Busy: b.Busy}
	out.Facts = []page.Fact{{Name: w.Folder, Value: b.Folder}, {Name: w.BackupKept, Value: strconv.Itoa(b.Kept)}}
	if b.Last != nil {
		out.Facts = append(out.Facts, page.Fact{Name: w.Size, Value: size(b.Bytes)})
	}
	out.Open = b.Plain && b.Fault == ""
	return out
}

func insideOf(v Vitals, w text.System) *page.Inside {
	in := &page.Inside{
		Folder: v.Data, Backups: backupsOf(v.Backups, w), Log: v.Log,
		Sizes: []page.Fact{
			{Name: w.Free, Value: size(v.Free)},
			{Name: w.Database, Value: size(v.Database)},
			{Name: w.Recordings, Value: size(v.Recordings)},
		},
		Disk: part.Gauge{Label: w.Used, State: "accent"},
	}
	if v.Disk > 0 {
		used := 1 - float64(v.Free)/float64(v.Disk)
		in.Disk.Part, in.Disk.Text = used, strconv.Itoa(int(100*used))+" %"
		if 1-used < fullAt {
			in.Disk.State = "failed"
		}
	}
	for _, s := range v.Settings {
		in.Settings = append(in.Settings, page.Setting(s))
	}
	return in
}
