package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/kong"

	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/appliance/installation"
	"munadi/store"
	"munadi/store/account"
)

// KeysCmd is `munadi keys`: results for scripts go to standard output, explanations to standard error.
type KeysCmd struct {
	Create KeysCreateCmd `cmd:"" help:"Create an API key and print it; it cannot be shown again."`
	List   KeysListCmd   `cmd:"" help:"List the API keys."`
	Revoke KeysRevokeCmd `cmd:"" help:"Revoke an API key at once and permanently."`
}

// KeysCreateCmd is `munadi keys create`.
type KeysCreateCmd struct {
	Name  string   `default:"command line" help:"What the key is for."`
	Org   string   `default:"default" help:"The organization it belongs to."`
	Scope []string `default:"stt,calls,settings,people:erase" help:"What it allows: stt, calls (or calls:read, calls:write), settings, people:erase, admin."`
}

// Run prints only the new key to standard output.
func (c *KeysCreateCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	return withAdmin(ctx, cfg, true, func(a admin.AdminService) error {
		key, plain, err := a.CreateKey(ctx, c.Org, c.Name, c.Scope)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(app.Stdout, plain); err != nil {
			return fmt.Errorf("key %s was created but could not be printed: %w", key.ID, err)
		}
		_, err = fmt.Fprintf(app.Stderr, "Key %s (%s) of organization %s with scopes %s, in %s.\n"+
			"It cannot be shown again: store it in a safe place.\n", key.ID, key.Name, key.OrgID,
			account.JoinScopes(key.Scopes), cfg.Data)
		return err
	})
}

// KeysListCmd is `munadi keys list`.
type KeysListCmd struct {
	Org  string `placeholder:"ORG" help:"Only the keys of this organization."`
	JSON bool   `name:"json" help:"Print JSON."`
}

// Run prints a table, or JSON.
func (c *KeysListCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error {
		keys, err := a.ListKeys(ctx, c.Org)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(app.Stdout, keys)
		}
		return printKeys(app.Stdout, keys)
	})
}

// KeysRevokeCmd is `munadi keys revoke`.
type KeysRevokeCmd struct {
	ID string `arg:"" help:"Id of the key; munadi keys list shows it."`
}

// Run prints which key was revoked to standard error.
func (c *KeysRevokeCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error {
		key, err := a.RevokeKey(ctx, c.ID)
		if store.CodeOf(err) == store.CodeNotFound {
			return fmt.Errorf("there is no such key: no key has the id %q; munadi keys list shows the ids", c.ID)
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(app.Stderr, "Key %s (%s, %s…) of organization %s is revoked.\n",
			key.ID, key.Name, key.Prefix, key.OrgID)
		return err
	})
}

// withAdmin runs work on the running appliance through its admin socket, or on its database if none runs.
func withAdmin(ctx context.Context, cfg *config.Config, create bool, work func(admin.AdminService) error) error {
	if !admin.IsRunning(ctx, cfg.Data) {
		if err := checkOwner(cfg); err != nil {
			return err
		}
	}
	a, err := admin.OpenAdmin(ctx, cfg, create)
	if err != nil {
		return installation.ExplainDataError(cfg.Data, err)
	}
	return errors.Join(work(a), a.Close())
}

// printJSON writes a value as indented JSON.
func printJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// printKeys writes one line for each key.
func printKeys(w io.Writer, keys []admin.KeyView) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tORGANIZATION\tNAME\tKEY\tSCOPES\tCREATED\tLAST USED\tREVOKED")
	for _, k := range keys {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s…\t%s\t%s\t%s\t%s\n", k.ID, k.OrgID, k.Name, k.Prefix, account.JoinScopes(k.Scopes),
			formatTime(&k.CreatedAt), formatTime(k.LastUsedAt), formatTime(k.RevokedAt))
	}
	return table.Flush()
}

// formatTime is a time to the minute, in the machine's time zone.
func formatTime(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04")
}
