package system

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/cluster"
	"munadi/appliance/console/kit"
	"munadi/appliance/tlscert"
	"munadi/engine"
	"munadi/store"
	"munadi/ui/accounts"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/system"
	"munadi/ui/voices"
)

// showSystem shows the system page. Disk, log and settings are shown only to governors.
func (s handlers) showSystem(c echo.Context) error {
	typed := voices.ImportedVoice{}
	imported := voices.BindImport(form.NewBinder(kit.RequestVisitor(c).Lang, nil, nil), &typed)
	return s.systemPage(c, http.StatusOK, imported)
}

// systemPage renders the system page; imported is the form of a voice on this machine.
func (s handlers) systemPage(c echo.Context, status int, imported []form.Field) error {
	v, vitals := kit.RequestVisitor(c), s.Vitals()
	p := system.View{
		ConsolePage: s.ConsoleFrame(c, system.Title.In(v.Lang)), Started: vitals.Started,
		Address:   s.PublicURL(),
		Encrypted: s.describeEncryption(v.Lang), Local: s.RootCertificate() != nil,
		Sources: vitals.Sources, Zone: s.OrganizationZone(c),
	}
	if vitals.Model != nil {
		p.Model, p.Label = modelFacts(*vitals.Model, v.Lang), modelLabel(*vitals.Model, v.Lang)
		if vitals.Speakers > 0 {
			p.Model = append(p.Model, component.FactLine{Name: system.Speakers.In(v.Lang), Value: strconv.Itoa(vitals.Speakers)},
				component.FactLine{Name: system.Conversations.In(v.Lang), Value: strconv.Itoa(vitals.Conversations)})
		}
	}
	for _, worker := range vitals.Workers {
		p.Workers = append(p.Workers, system.WorkerLine{Name: worker.Name, Fault: worker.Fault != ""})
	}
	charts := engineCharts{vitals: vitals, lang: v.Lang, zone: s.OrganizationZone(c)}
	p.Speed, p.Load, p.Factor = charts.recognitionSpeed(), charts.loadSeries(), charts.realTimeFactorSeries()
	p.Lines = trunkLines(vitals.Trunks, v.User.IsGovernor(), v.Lang)
	if v.User.IsGovernor() {
		p.Inside = installationView(vitals, v.Lang)
		if s.Appliances != nil {
			all, err := s.Appliances(c.Request().Context())
			if err != nil {
				return err
			}
			p.Appliances = applianceRows(all, s.Now(), v.Lang)
		}
		p.Models = modelsCardView(s.Models.DescribeModels(), v.Lang)
		p.Voices = s.voicesCardView(v.Lang, c.QueryParam("voice"), imported)
	}
	return kit.RenderPage(c, status, system.Page(p))
}

// trunkLines returns the status of the SIP trunks. Addresses and faults are shown only to governors, names only if
// there are several trunks.
func trunkLines(trunks []kit.TrunkVitals, governs bool, lang locale.Language) (lines []system.TrunkLine) {
	for _, t := range trunks {
		line := system.TrunkLine{
			Up: t.Up, Unheard: t.Unheard, Since: t.Since, Registers: t.Registers, Registered: t.Registered,
			Calls: t.CountCalls(), Full: t.IsFull(),
		}
		if len(trunks) > 1 {
			line.Name, line.Prefixes = t.Name, strings.Join(t.Prefixes, " ")
		}
		if governs {
			line.Trunk, line.Fault = t.Address, t.DescribeFault(lang)
		}
		lines = append(lines, line)
	}
	return lines
}

func modelFacts(m engine.EngineInfo, l locale.Language) []component.FactLine {
	facts := []component.FactLine{
		{Name: locale.KitName.In(l), Value: m.Name},
		{Name: system.Layout.In(l), Value: m.Layout},
		{Name: system.Decoding.In(l), Value: m.Decoding},
		{Name: system.Precision.In(l), Value: precisionOf(m, l)},
		{Name: system.Vocabulary.In(l), Value: strconv.Itoa(m.Vocabulary)},
		{Name: system.Size.In(l), Value: kit.FormatSize(m.Bytes)},
		{Name: system.Threads.In(l), Value: strconv.Itoa(m.Threads)},
	}
	if len(m.Latencies) > 0 {
		facts = append(facts, component.FactLine{Name: system.Latency.In(l), Value: m.LatencyList(" · ")})
	}
	return facts
}

// precisionOf names the precision, with what to do where 8-bit weights are inexact.
func precisionOf(m engine.EngineInfo, l locale.Language) string {
	if m.Saturates {
		return fmt.Sprintf(system.PrecisionSaturates.In(l), m.Precision)
	}
	return m.Precision
}

// modelLabel returns the model's description in a language, one sentence a line.
func modelLabel(m engine.EngineInfo, l locale.Language) []string {
	if label := strings.TrimSpace(m.Label[string(l)]); label != "" {
		return strings.Split(label, "\n")
	}
	return locale.DefaultLabel(l)
}

func backupsCard(b kit.BackupVitals, l locale.Language) system.BackupsCard {
	out := system.BackupsCard{Last: b.Last, Next: b.Next, Fault: b.Fault, Busy: b.Busy}
	out.Facts = []component.FactLine{
		{Name: system.Folder.In(l), Value: b.Folder}, {Name: system.BackupKept.In(l), Value: strconv.Itoa(b.Kept)},
	}
	if b.Last != nil {
		out.Facts = append(out.Facts, component.FactLine{Name: system.Size.In(l), Value: kit.FormatSize(b.Bytes)})
	}
	out.Open = b.Plain && b.Fault == ""
	return out
}

func installationView(v kit.ApplianceVitals, l locale.Language) *system.MachineInside {
	in := &system.MachineInside{
		Folder: v.Data, Backups: backupsCard(v.Backups, l), Log: parseLog(v.Log),
		Sizes: []component.FactLine{
			{Name: system.Free.In(l), Value: kit.FormatSize(v.Free)},
			{Name: system.Database.In(l), Value: kit.FormatSize(v.Database)},
			{Name: system.Recordings.In(l), Value: kit.FormatSize(v.Recordings)},
		},
		Disk: component.FillGauge{Label: system.Used.In(l), State: "accent"},
	}
	if v.Disk > 0 {
		used := 1 - float64(v.Free)/float64(v.Disk)
		in.Disk.Part, in.Disk.Text = used, strconv.Itoa(int(100*used))+"%"
		if v.IsDiskLow() {
			in.Disk.State = "failed"
		}
	}
	for _, s := range v.Settings {
		in.Settings = append(in.Settings, system.SettingLine(s))
	}
	return in
}

// describeEncryption describes the listener's TLS.
func (s handlers) describeEncryption(l locale.Language) string {
	if s.Certificate == nil || s.Certificate() == nil {
		return accounts.CertificateOff.In(l)
	}
	leaf := tlscert.LeafCertificate(s.Certificate())
	if leaf == nil {
		return "TLS"
	}
	return "TLS · " + accounts.CertificateUntil.In(l) + " " + leaf.NotAfter.Format(time.DateOnly)
}

// applianceRows returns the appliances that share the database, for the system page; none if there is only this one.
func applianceRows(all []cluster.Member, now time.Time, l locale.Language) (rows []system.ApplianceRow) {
	for _, a := range all {
		row := system.ApplianceRow{
			Name: cmp.Or(a.Name, a.Address, "?"), Address: a.Address, Here: a.Here, Version: a.Version,
			Role: system.AppliancesRoleName(l, a.Role), Model: cmp.Or(a.Installed, a.Model, system.AppliancesLoading.In(l)),
			Started: a.Started, Heard: now.Add(-a.Silent),
			Lines: fmt.Sprintf("%d / %d", a.Held, a.Lines), Queue: strconv.Itoa(a.Queue),
			State: "good", StateText: system.AppliancesWorks.In(l),
		}
		switch {
		case !a.Alive:
			row.State, row.StateText, row.Lines, row.Queue = "bad", system.AppliancesGone.In(l), "–", "–"
		case !a.Ready:
			row.State, row.StateText, row.Note = "warn", system.AppliancesHindered.In(l), a.Health
		}
		rows = append(rows, row)
	}
	return rows
}

// startBackup starts a backup in the background.
func (s handlers) startBackup(c echo.Context) error {
	v := kit.RequestVisitor(c)
	line := store.AuditEntry{At: s.Now().UTC(), Actor: v.AuditActor(), Action: "backup.make"}
	if err := s.Store.AddAudit(c.Request().Context(), v.Org.ID, line); err != nil {
		return err
	}
	s.BackUp()
	return kit.RedirectSaying(c, kit.Root+"/system#backups", system.BackupBegun.In(v.Lang))
}
