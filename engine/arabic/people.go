package arabic

import "strings"

// countPeople adds up people whom "and" joins: "أنا وزوجتي وثلاثة أطفال" are 5, "ثلاثة كبار وطفلين" as well. ok is
// false unless at least two groups are named, or if something else is counted, refused or left open.
func (s inputSentence) countPeople() (sum float64, ok bool) {
	groups, named := 0, false
	for i := 0; i < len(s); {
		n, next, people := s.groupAt(i)
		switch {
		case people && groups > 0 && !s.beginsWithWaw(i):
			return 0, false
		case people:
			sum, groups, named = sum+n, groups+1, true
		case next == i:
			if w := plainWord(s.fullWordAt(i)); negators[w] || corrections[w] || isAlternative(w) {
				return 0, false
			}
			next++
		case s.joinsPeople(next):
			sum, groups = sum+n, groups+1
		case !s.onTheClock(i):
			return 0, false
		}
		i = next
	}
	return sum, named && groups > 1
}

func (s inputSentence) beginsWithWaw(i int) bool {
	return s[i].prefix == "و" || strings.HasPrefix(s.fullWordAt(i), "و")
}

// groupAt reads a number at word i with what it counts, or one person without a number; people is whether it counts
// people.
func (s inputSentence) groupAt(i int) (n float64, next int, people bool) {
	w := s.fullWordAt(i)
	if !relatives[w] && !personNouns[w] {
		w = strings.TrimPrefix(w, "و")
	}
	switch {
	case relatives[w]:
		return 1, i + 1, true
	case personNouns[w]:
		if s.fullWordAt(i+1) == "واحد" || s.fullWordAt(i+1) == "واحده" {
			return 1, i + 2, true
		}
		return 1, i + 1, true
	}
	if unit, dual := dualOf(w); dual && personNouns[unit] {
		return 2, i + 1, true
	}
	n, next, ok := s.readPlainNumber(i, true)
	if !ok {
		return 0, i, false
	}
	if noun := s.fullWordAt(next); personNouns[noun] || personPlurals[noun] {
		return n, next + 1, true
	}
	return n, next, false
}

// joinsPeople reports whether the group at word i is one of people that "and" joins to the one before.
func (s inputSentence) joinsPeople(i int) bool {
	if i >= len(s) || !s.beginsWithWaw(i) {
		return false
	}
	_, _, people := s.groupAt(i)
	return people
}

var (
	relatives = wordSet("أنا زوجتي زوجي مرتي جوزي خطيبتي خطيبي أمي أبوي والدي والدتي أخوي أختي " +
		"ولدي ابني بنتي ابنتي")
	// personNouns count one alone; their duals are in countable.
	personNouns   = wordSet("شخص نفر طفل طفلة ضيف رضيع ولد بنت")
	personPlurals = wordSet("أشخاص أنفار أطفال ضيوف رضع أولاد عيال بنات كبار كبير صغار صغير بالغ بالغين رجال حريم نساء")
)
