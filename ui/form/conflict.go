package form

// ReplacedSetting is what the form of a whole setting holds against lost updates.
type ReplacedSetting struct {
	Revision string        // of the setting that the form shows; it is sent back with the change
	Conflict []ConflictRow // fields that differ from the version that somebody else saved meanwhile; nil: none did
}

// ConflictRow is a field in both versions.
type ConflictRow struct{ Label, Saved, Typed string }
