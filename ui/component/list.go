package component

// TableList is the frame of a table: search, pagination, CSV export.
type TableList struct {
	Action      string // path of the page
	Filter      string // search text
	CSV         string // URL of the CSV export; empty: none
	First, Next string // URLs of other pages; empty: none
	Shown       int    // lines on this page
}
