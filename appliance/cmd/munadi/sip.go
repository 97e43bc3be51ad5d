package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/kong"

	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/store/call"
	"munadi/ui/locale"
)

// SIPCmd is `munadi sip`: what went over the SIP trunks.
type SIPCmd struct {
	Trace   SIPTraceCmd   `cmd:"" help:"Print the SIP ladder and the media quality of a call that has ended."`
	Refused SIPRefusedCmd `cmd:"" help:"Print the inbound calls that the running appliance refused last."`
}

// SIPRefusedCmd is `munadi sip refused`.
type SIPRefusedCmd struct{}

// Run prints the refused calls, the latest first.
func (SIPRefusedCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	inside, running, err := admin.AskSupport(ctx, cfg.Data)
	switch {
	case err != nil:
		return err
	case !running:
		return errors.New("no appliance runs on this data folder; refused calls are kept until it ends")
	case len(inside.Refused) == 0:
		_, err := fmt.Fprintln(app.Stdout, "No inbound call was refused since the start.")
		return err
	}
	for _, r := range inside.Refused {
		repeats := ""
		if r.Times > 1 {
			repeats = fmt.Sprintf(" (%d times, first at %s)", r.Times, r.First.Local().Format(time.DateTime))
		}
		why := locale.DescribeInboundRefusal(locale.English, r.Cause)
		if _, err := fmt.Fprintf(app.Stdout, "%s  trunk %s  %s to %s  %d: %s %s%s\n",
			r.Last.Local().Format(time.DateTime), r.Trunk, cmp.Or(r.Caller, "withheld"), cmp.Or(r.Called, "no number"), r.Status,
			why.What, why.Do, repeats); err != nil {
			return err
		}
		if err := printLadder(app.Stdout, call.LineTrace{Messages: r.Messages}); err != nil {
			return err
		}
	}
	return nil
}

// SIPTraceCmd is `munadi sip trace`.
type SIPTraceCmd struct {
	Call string `arg:"" help:"The call's id (call_…)."`
}

// Run prints the ladder, then the quality.
func (c *SIPTraceCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	if !call.ValidID(c.Call) {
		return fmt.Errorf("%q is not a call id: it is call_ and a UUID, as the console and the API show it", c.Call)
	}
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error {
		trace, err := a.FindTrace(ctx, c.Call)
		if err != nil {
			return err
		}
		if trace.IsEmpty() {
			return errors.New("nothing was recorded of this call: it has not ended, was not dialled over SIP, is older " +
				"than this version, or its transcript was deleted")
		}
		return errors.Join(printLadder(app.Stdout, trace), printQuality(app.Stdout, trace.Quality))
	})
}

// printLadder prints the messages, each with its headers and session description.
func printLadder(w io.Writer, t call.LineTrace) error {
	for _, m := range t.Messages {
		way := "<-"
		if m.Sent {
			way = "->"
		}
		line := fmt.Sprintf("%s %s %s  %s", m.At.Local().Format("15:04:05.000"), way, m.Peer, m.Line)
		if m.Leg > 0 {
			line += fmt.Sprintf("  [staff %d]", m.Leg)
		}
		if m.Repeats > 0 {
			line += fmt.Sprintf("  (and %d times again)", m.Repeats)
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
		for _, text := range append(append([]string{}, m.Headers...), m.SDP...) {
			fmt.Fprintln(w, "    "+text)
		}
		if m.Cut {
			fmt.Fprintln(w, "    (cut)")
		}
	}
	if t.Omitted > 0 {
		_, err := fmt.Fprintf(w, "%d messages from the middle were not kept.\n", t.Omitted)
		return err
	}
	return nil
}

// printQuality prints a table of the media quality.
func printQuality(w io.Writer, samples []call.QualitySample) error {
	if len(samples) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nAT\tHEARD: LOSS\tJITTER\tMOS\tSENT: LOSS\tJITTER\tMOS\tROUND TRIP")
	for _, s := range samples {
		at := time.Duration(s.At * float64(time.Second)).Round(time.Second)
		fmt.Fprintf(table, "%s\t%s\t%s\t%.0f ms\n", at, describeQuality(s.Inbound), describeQuality(s.Outbound), s.RoundTrip)
	}
	return table.Flush()
}

// describeQuality returns the columns of one direction.
func describeQuality(q *call.MediaQuality) string {
	if q == nil {
		return "-\t-\t-"
	}
	return fmt.Sprintf("%.1f %%\t%.1f ms\t%.2f", 100*q.Loss, q.Jitter, q.MOS)
}
