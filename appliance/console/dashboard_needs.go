package console

import (
	"context"
	"fmt"
	"time"

	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/store/org"
	"munadi/ui/page"
	"munadi/ui/text"
)

const (
	// fullAt is the share of the disk that has to be free.
	fullAt = 0.05
	// lately is how many ended calls say whether the carrier works, and since when a lost notification matters.
	lately     = 10
	rememberIt = 24 * time.Hour
)

// needs is what a person has to look at now, the worst first.
func (s *Service) needs(ctx context.Context, v visitor, d today) ([]page.Need, error) {
	var out []page.Need
	if v.User.Governs() {
		out = append(out, d.machine()...)
	}
	if d.rules.KillSwitch {
		out = append(out, page.Need{
			State: "warn", Title: d.words.Kill, Text: d.words.KillWhy, Href: Root + "/rules", Do: d.words.KillDo,
		})
	}
	if t := d.vitals.Trunk; t != nil && !t.Up {
		out = append(out, page.Need{
			State: "bad", Title: d.words.Trunk, Href: Root + "/system", Do: d.words.TrunkDo,
			Text: text.Fill(d.words.TrunkWhy, "since", t.Since.In(d.zone).Format("\u20662006-01-02 15:04\u2069")),
		})
	}
	if failed, of := d.refused(); of >= lately/2 && failed*2 >= of {
		out = append(out, page.Need{
			State: "bad", Title: d.words.Carrier, Text: text.Fill(d.words.CarrierWhy, "n", failed, "all", of),
			Href: Root + "/calls?status=failed", Do: d.words.CarrierDo,
		})
	}
	if !v.User.Role.May(org.Owner) {
		return out, nil
	}
	lost, err := s.lost(ctx, v.Org.ID, d.now)
	if lost > 0 {
		out = append(out, page.Need{
			State: "bad", Title: d.words.Webhooks, Text: text.Fill(d.words.WebhooksWhy, "n", lost),
			Href: Root + "/webhook", Do: d.words.WebhooksDo,
		})
	}
	return out, err
}

// machine is what the appliance itself needs.
func (d today) machine() []page.Need {
	var out []page.Need
	for _, w := range d.vitals.Workers {
		if w.Fault != "" {
			out = append(out, page.Need{
				State: "bad", Title: d.words.Worker,
				Text: text.Fill(d.words.WorkerWhy, "name", text.SystemIn(d.lang).WorkerName(w.Name)),
			})
		}
	}
	if all := d.vitals.Disk; all > 0 && float64(d.vitals.Free) < fullAt*float64(all) {
		out = append(out, page.Need{
			State: "bad", Title: d.words.Disk, Text: text.Fill(d.words.DiskWhy, "free", size(d.vitals.Free)),
			Href: Root + "/system", Do: d.words.DiskDo,
		})
	}
	if d.vitals.Backups.Fault != "" {
		out = append(out, page.Need{
			State: "bad", Title: d.words.Backup, Text: d.words.BackupWhy, Href: Root + "/system#backups", Do: d.words.DiskDo,
		})
	}
	return out
}

// refused counts, of the day's last calls that ended, those that the carrier did not take.
func (d today) refused() (failed, of int) {
	for _, c := range d.calls {
		if !c.Status.Final() || c.Status == call.Cancelled || of == lately {
			continue
		}
		of++
		if r := call.ReasonOf(c.Failure); r == call.NoCarrier || r == call.CarrierFailure {
			failed++
		}
	}
	return failed, of
}

// lost counts the notifications of the last day that were given up, on one page of them.
func (s *Service) lost(ctx context.Context, orgID string, now time.Time) (n int, err error) {
	some, err := s.Store.Deliveries(ctx, orgID, delivery.Failed, pageOf, "")
	for _, d := range some.Items {
		if now.Sub(d.CreatedAt) < rememberIt {
			n++
		}
	}
	return n, err
}

// size writes bytes for people, in powers of 1024.
func size[N int64 | uint64](bytes N) string {
	value, unit := float64(bytes), "B"
	for _, next := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if value < 1024 {
			break
		}
		value, unit = value/1024, next
	}
	if unit == "B" || value >= 100 {
		return fmt.Sprintf("%.0f %s", value, unit)
	}
	return fmt.Sprintf("%.1f %s", value, unit)
}
