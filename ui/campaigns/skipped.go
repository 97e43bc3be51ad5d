package campaigns

import (
	"slices"
	"strconv"

	"munadi/store/campaign"
	"munadi/ui/list"
)

// SkippedRow is a row of a campaign's file that was not booked, and why as people read it.
type SkippedRow struct {
	campaign.SkippedRow
	Why string
}

// skippedColumns are the rows that were not booked, on the page and in the workbook. The sheet comes first.
var skippedColumns = list.Table[SkippedRow]{
	{Title: SheetName, Text: func(r SkippedRow) string { return r.Sheet }},
	{Title: SheetRow, Number: true, Text: func(r SkippedRow) string { return strconv.Itoa(r.Row) }},
	{Title: Person, Text: func(r SkippedRow) string { return r.Name }},
	{Title: Number, Mono: true, Text: func(r SkippedRow) string { return r.PhoneNumber }},
	{Title: Why, Text: func(r SkippedRow) string { return r.Why }},
}

// SkippedTable returns the table of rows: with their sheet, if one has one.
func SkippedTable(rows []SkippedRow) list.Table[SkippedRow] {
	if slices.ContainsFunc(rows, func(r SkippedRow) bool { return r.Sheet != "" }) {
		return skippedColumns
	}
	return skippedColumns[1:]
}
