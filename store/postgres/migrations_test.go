package postgres

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// additions are the statements that are compatible with running appliances of an older version: these name the columns
// that they know, so a new column needs a default or must be nullable.
var additions = []*regexp.Regexp{
	regexp.MustCompile(`^CREATE TABLE `),
	regexp.MustCompile(`^CREATE SEQUENCE `),
	regexp.MustCompile(`^CREATE INDEX `),
	regexp.MustCompile(`^ALTER TABLE \w+ ADD COLUMN \w+ [^;]*DEFAULT [^;]+$`),
	regexp.MustCompile(`^ALTER TABLE \w+ ADD COLUMN \w+ \w+( COLLATE "C")?$`),
}

// comment is a comment of SQL.
var comment = regexp.MustCompile(`(?m)--.*$`)

// breaksOlder returns the first statement of a migration that is incompatible with an older version; empty: none.
func breaksOlder(migration string) string {
	for statement := range strings.SplitSeq(comment.ReplaceAllString(migration, ""), ";") {
		statement = strings.Join(strings.Fields(statement), " ")
		known := statement == ""
		for _, addition := range additions {
			known = known || addition.MatchString(statement)
		}
		if !known {
			return statement
		}
	}
	return ""
}

// TestMigrationsOnlyAdd: appliances are upgraded one after the other while the others run (rolling upgrade), so a
// migration may only add.
func TestMigrationsOnlyAdd(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil || len(names) < 5 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		content, err := migrations.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if statement := breaksOlder(string(content)); statement != "" {
			t.Errorf("%s: appliances of the version before would not bear: %s", name, statement)
		}
	}
	for _, breaking := range []string{
		"ALTER TABLE calls DROP COLUMN need", "ALTER TABLE calls RENAME COLUMN a TO b", "DROP INDEX calls_made",
		"ALTER TABLE calls ADD COLUMN x text NOT NULL", "UPDATE calls SET record = ''", "ALTER TABLE calls ALTER need TYPE int",
		"CREATE UNIQUE INDEX once ON calls (number)", "ALTER TABLE calls ADD CONSTRAINT x CHECK (made > 0)",
	} {
		if breaksOlder(breaking) == "" {
			t.Errorf("%s was not found", breaking)
		}
	}
}
