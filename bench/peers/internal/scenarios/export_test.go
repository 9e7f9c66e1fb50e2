package scenarios

// The pure parts, for tables.
var (
	Rename = rename
	Notes  = notes
)
