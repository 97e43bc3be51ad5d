package restaurantmode

import (
	"munadi/appliance/textform"
	"munadi/engine"
	"munadi/engine/arabic"
	"munadi/store/restaurant"
)

// FormatSegment applies inverse text normalization in restaurant mode: spoken numbers become digits, each one word.
func (t *ModeTurn) FormatSegment(s engine.Segment) engine.Segment {
	if t.Mode != restaurant.Restaurant {
		return s
	}
	return textform.ReplaceWords(s, arabic.NumbersToDigits)
}
