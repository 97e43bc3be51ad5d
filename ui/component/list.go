package component

// TableList is what stands about a table: how it is searched, paged and taken away.
type TableList struct {
	Action      string // path of the page
	Filter      string // what it was searched for
	CSV         string // address of all lines as a file; empty: none
	First, Next string // addresses of other pages; empty: none there
	Shown       int    // lines on this page
}
