package arabic

import "strings"

// OrderedQuantity is a menu item with its quantity.
type OrderedQuantity struct {
	Item  int // index into the menu
	Count float64
}

// FindQuantities reads an order: the menu's items in the order they are said, each with the number before it ("اثنين
// برجر", "نص كيلو كباب", "ثلاث قطع كنافة"), in it ("برجرين") or right behind it ("بيتزا واحدة"), else one. Items are
// compared as Choice does, but whole: the longest that fits counts, one that two items share is left out, and so is
// what is refused ("بدون بصل").
func FindQuantities(s string, menu []ChoiceOption) []OrderedQuantity {
	heard := parseSentence(s)
	phrases, known := foldOptions(menu)
	var out []OrderedQuantity
	count := 0.0 // quantity of the next item; 0: not said
	for i := 0; i < len(heard); {
		if refusals[heard.fullWordAt(i)] {
			i, count = i+2, 0
			continue
		}
		if item, times, next := heard.readItem(i, phrases, known); next > i {
			n, end := heard.readNumberBehind(next, phrases, known)
			switch {
			case count > 0:
				times *= count
			case times == 1 && n > 0:
				times, next = n, end
			}
			if item >= 0 {
				out = append(out, OrderedQuantity{Item: item, Count: times})
			}
			i, count = next, 0
			continue
		}
		if n, next := heard.howMany(i); next > i {
			i, count = next, n
			continue
		}
		i++
		count = 0
	}
	return out
}

// readItem finds the longest phrase that begins at word i; item is -1 where it belongs to two. A dual is two of its
// item.
func (s inputSentence) readItem(
	i int,
	phrases [][][]string,
	known map[string]bool,
) (item int, times float64, next int) {
	first, times := s.fullWordAt(i), 1.0
	if single, ok := dualOf(first); ok {
		first, times = single, 2
	}
	next = i
	best := 0.0
	for index, all := range phrases {
		for _, words := range all {
			score := s.phraseSimilarity(i, first, words, known)
			switch {
			case score == 0 || score < best-margin:
			case score > best+margin:
				item, best, next = index, score, i+len(words)
			case index != item:
				item = -1
			}
		}
	}
	return item, times, next
}

// phraseSimilarity adds up how alike the words from i on and a phrase are; 0 where one of them is not.
func (s inputSentence) phraseSimilarity(i int, first string, words []string, known map[string]bool) float64 {
	if i+len(words) > len(s) {
		return 0
	}
	total := 0.0
	for j, w := range words {
		heard := first
		if j > 0 {
			heard = s.fullWordAt(i + j)
		}
		like := wordSimilarity(heard, w, known)
		if like == 0 {
			return 0
		}
		total += like
	}
	return total
}

// howMany reads a number before an item, with what it is counted in.
func (s inputSentence) howMany(i int) (n float64, next int) {
	a, ok := s.readAmount(i, s[i].atom.kind == unit)
	if !ok || a.value <= 0 {
		return 0, i
	}
	if _, part := fractions[s.fullWordAt(a.next-1)]; part && a.unit == "" {
		if _, measure := measures[s.fullWordAt(a.next)]; measure {
			a.next++ // نص كيلو
		}
	}
	return a.value, a.next
}

// readNumberBehind reads the number of an item that was said without one, unless it counts the item that follows.
func (s inputSentence) readNumberBehind(i int, phrases [][][]string, known map[string]bool) (n float64, next int) {
	if i >= len(s) || s[i].atom.kind != unit || s[i].prefix != "" {
		return 0, i
	}
	n, next = s.howMany(i)
	if next == i {
		return 0, i
	}
	if next < len(s) && !strings.HasPrefix(s.fullWordAt(next), "و") { // و begins another item of the list
		if _, _, end := s.readItem(next, phrases, known); end > next {
			return 0, i
		}
	}
	return n, next
}
