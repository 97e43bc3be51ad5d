package postgres

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// pgxRows are the rows of a query.
type pgxRows = pgx.Rows

// joinPlace joins the columns of a list's order; only the last may contain a '/'.
func joinPlace(columns []any) string {
	parts := make([]string, len(columns))
	for i, value := range columns {
		parts[i] = fmt.Sprint(value)
	}
	return strings.Join(parts, "/")
}

// splitPlace returns the columns of a place: times, then an id; nil for a malformed one.
func splitPlace(place string, times int) []any {
	parts := strings.SplitN(place, "/", times+1)
	if len(parts) != times+1 {
		return nil
	}
	columns := make([]any, times+1)
	for i, part := range parts[:times] {
		at, err := strconv.ParseInt(part, 10, 64)
		if err != nil {
			return nil
		}
		columns[i] = at
	}
	columns[times] = parts[times]
	return columns
}
