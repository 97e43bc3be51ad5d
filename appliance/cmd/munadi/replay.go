package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/kong"

	"munadi/appliance/admin"
	"munadi/appliance/apimodel"
	"munadi/appliance/config"
	"munadi/appliance/csvcell"
	"munadi/appliance/service"
	"munadi/assets/scenarios"
	"munadi/store/replay"
	"munadi/store/scenario"
	"munadi/store/strictjson"
)

// ReplayCmd is `munadi replay`: recorded calls are held again with a draft or another speech model.
type ReplayCmd struct {
	Start   ReplayStartCmd   `cmd:"" help:"Start a replay of the recorded calls of a scenario, and print its id."`
	List    ReplayListCmd    `cmd:"" help:"List the replays with their progress."`
	Show    ReplayShowCmd    `cmd:"" help:"Print one replay with its progress."`
	Pause   ReplayPauseCmd   `cmd:"" help:"Pause a replay; it goes on where it was when it is resumed."`
	Resume  ReplayResumeCmd  `cmd:"" help:"Let a paused replay go on."`
	Results ReplayResultsCmd `cmd:"" help:"Print what came out otherwise, as CSV or JSON."`
	Delete  ReplayDeleteCmd  `cmd:"" help:"Delete a replay with its results."`
}

// ReplayStartCmd is `munadi replay start SCENARIO`.
type ReplayStartCmd struct {
	Scenario  string `arg:"" help:"The scenario's id."`
	From      string `required:"" placeholder:"TIME" help:"Calls created from this time on: a date (2026-11-01) or an RFC 3339 time."`
	To        string `placeholder:"TIME" help:"Calls created before this time; default: now."`
	Published bool   `help:"Try the published version, not the draft."`
	Model     string `name:"with-model" placeholder:"NAME" help:"Another installed speech model; default: the one that serves."`
	Org       string `default:"default" help:"The organization."`
}

// Run prints the id alone to standard output.
func (c *ReplayStartCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	from, err := parseMoment(c.From)
	if err != nil {
		return err
	}
	to, err := parseMoment(c.To)
	if err != nil {
		return err
	}
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error {
		builtIn, err := scenario.BuiltIn(scenarios.ScenarioFiles())
		if err != nil {
			return err
		}
		a.KnowBuiltIn(builtIn)
		r, err := a.StartReplay(ctx, admin.ReplayStart{OrgID: c.Org, ReplayRequest: service.ReplayRequest{
			ScenarioID: c.Scenario, Published: c.Published, Model: c.Model, From: from, To: to,
		}})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(app.Stdout, r.ID)
		_, told := fmt.Fprintf(app.Stderr,
			"%d calls will be replayed by the running appliance: munadi replay show %s\n", r.Total, r.ID)
		return errors.Join(err, told)
	})
}

// parseMoment parses a date of the local time zone or an RFC 3339 time; an empty text is none.
func parseMoment(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if at, ok := strictjson.ParseTime(text); ok {
		return at, nil
	}
	at, err := time.ParseInLocation(time.DateOnly, text, time.Local)
	if err != nil {
		return at, fmt.Errorf("%q is neither a date (2026-11-01) nor an RFC 3339 time (2026-11-01T08:00:00+03:00)", text)
	}
	return at, nil
}

// ReplayListCmd is `munadi replay list`.
type ReplayListCmd struct {
	Org  string `default:"default" help:"The organization."`
	JSON bool   `name:"json" help:"Print JSON."`
}

// Run prints a table, or JSON.
func (c *ReplayListCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error {
		all, err := a.ListReplays(ctx, c.Org)
		if err != nil {
			return err
		}
		return printReplays(app.Stdout, all, c.JSON)
	})
}

// replayArg names a replay.
type replayArg struct {
	ID  string `arg:"" help:"The replay's id (replay_…)."`
	Org string `default:"default" help:"The organization."`
}

// printAfter prints the replay that the command names, after what act does with it.
func (c replayArg) printAfter(
	ctx context.Context, cfg *config.Config, app *kong.Kong, asJSON bool,
	act func(a admin.AdminService, ctx context.Context, orgID, id string) (replay.Replay, error),
) error {
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error {
		r, err := act(a, ctx, c.Org, c.ID)
		if err != nil {
			return err
		}
		return printReplays(app.Stdout, []replay.Replay{r}, asJSON)
	})
}

// ReplayShowCmd is `munadi replay show ID`.
type ReplayShowCmd struct {
	replayArg
	JSON bool `name:"json" help:"Print JSON."`
}

// Run prints the replay.
func (c *ReplayShowCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	return c.printAfter(ctx, cfg, app, c.JSON, admin.AdminService.FindReplay)
}

// ReplayPauseCmd is `munadi replay pause ID`.
type ReplayPauseCmd struct{ replayArg }

// Run pauses the replay and prints it.
func (c *ReplayPauseCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	return c.printAfter(ctx, cfg, app, false, admin.AdminService.PauseReplay)
}

// ReplayResumeCmd is `munadi replay resume ID`.
type ReplayResumeCmd struct{ replayArg }

// Run resumes the replay and prints it.
func (c *ReplayResumeCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	return c.printAfter(ctx, cfg, app, false, admin.AdminService.ResumeReplay)
}

// ReplayDeleteCmd is `munadi replay delete ID`.
type ReplayDeleteCmd struct{ replayArg }

// Run deletes the replay.
func (c *ReplayDeleteCmd) Run(ctx context.Context, cfg *config.Config) error {
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error { return a.DeleteReplay(ctx, c.Org, c.ID) })
}

// printReplays prints replays as a table, or in the API's JSON.
func printReplays(out io.Writer, all []replay.Replay, asJSON bool) error {
	if asJSON {
		bodies := []apimodel.ReplayBody{}
		for _, r := range all {
			bodies = append(bodies, apimodel.ReplayOf(r))
		}
		return printJSON(out, bodies)
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tSTATE\tSCENARIO\tVERSION\tMODEL\tREPLAYED\tSAME\tOTHERWISE\tSKIPPED")
	for _, r := range all {
		state := string(r.State)
		if r.Broken != "" {
			state += " (" + string(r.Broken) + ")"
		}
		version := "built-in"
		if r.Version > 0 {
			version = strconv.Itoa(r.Version)
		}
		model := r.Model
		if model == "" {
			model = "(serving)"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d of %d\t%d\t%d\t%d\n", r.ID, state, r.ScenarioID, version, model,
			r.Counts.Replayed(), r.Total, r.Counts.Same, r.Counts.Changed, r.Counts.Skipped)
	}
	return w.Flush()
}

// ReplayResultsCmd is `munadi replay results ID`.
type ReplayResultsCmd struct {
	replayArg
	State  string `default:"changed" enum:"same,changed,skipped,all" help:"Which calls: same, changed, skipped or all."`
	Format string `default:"csv" enum:"csv,json" help:"csv, one line for each difference, or json, one object a line as the API gives it."`
}

// Run prints the results.
func (c *ReplayResultsCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	state := replay.ResultState(c.State)
	if c.State == "all" {
		state = ""
	}
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error {
		if _, err := a.FindReplay(ctx, c.Org, c.ID); err != nil {
			return err
		}
		if c.Format == "json" {
			encoder := json.NewEncoder(app.Stdout)
			return a.EachReplayResult(ctx, c.Org, c.ID, state, func(r replay.Result) error {
				return encoder.Encode(apimodel.ReplayResultOf(r))
			})
		}
		w := csv.NewWriter(app.Stdout)
		err := w.Write([]string{
			"call_id", "result", "reason", "status_old", "status_new", "turns_old", "turns_new", "property", "old", "new", "at",
			"step_old", "step_new",
		})
		if err != nil {
			return err
		}
		err = a.EachReplayResult(ctx, c.Org, c.ID, state, func(r replay.Result) error { return writeResult(w, r) })
		w.Flush()
		return errors.Join(err, w.Error())
	})
}

// writeResult writes the lines of a result: one for each property of the report with another value, one without any.
func writeResult(w *csv.Writer, r replay.Result) error {
	differences := r.Report
	if len(differences) == 0 {
		differences = []replay.Difference{{At: r.At}}
	}
	parted := replay.Fork{}
	if r.Parted != nil {
		parted = *r.Parted
	}
	for _, d := range differences {
		err := w.Write([]string{
			r.CallID, string(r.State), string(r.Problem), r.OldStatus, r.NewStatus, strconv.Itoa(r.OldTurns),
			strconv.Itoa(r.NewTurns), csvcell.GuardCell(d.Name), csvcell.GuardCell(d.Old), csvcell.GuardCell(d.New),
			strconv.FormatFloat(d.At, 'f', 2, 64), csvcell.GuardCell(parted.Old), csvcell.GuardCell(parted.New),
		})
		if err != nil {
			return err
		}
	}
	return nil
}
