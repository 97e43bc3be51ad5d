package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"munadi/appliance/admin"
	"munadi/appliance/config"
)

// OrgsCmd is `munadi orgs`: the organizations (tenants) of the appliance.
type OrgsCmd struct {
	Create OrgsCreateCmd `cmd:"" help:"Create an organization (tenant), whose data is separate from all others."`
	List   OrgsListCmd   `cmd:"" help:"List the organizations."`
}

// OrgsCreateCmd is `munadi orgs create`.
type OrgsCreateCmd struct {
	ID   string `arg:"" help:"Its id: a-z, 0-9, - and _."`
	Name string `placeholder:"NAME" help:"Display name."`
}

// Run prints the id.
func (c *OrgsCreateCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	return withAdmin(ctx, cfg, true, func(a admin.AdminService) error {
		made, err := a.CreateOrganization(ctx, c.ID, c.Name)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(app.Stdout, "Organization %s was created. Next: munadi keys create --org %s --data %s\n",
			made.ID, made.ID, cfg.Data)
		return err
	})
}

// OrgsListCmd is `munadi orgs list`.
type OrgsListCmd struct{}

// Run prints a table.
func (*OrgsListCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error {
		all, err := a.ListOrganizations(ctx)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(app.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tNAME\tCREATED")
		for _, o := range all {
			fmt.Fprintf(table, "%s\t%s\t%s\n", o.ID, o.Name, formatTime(&o.CreatedAt))
		}
		return table.Flush()
	})
}
