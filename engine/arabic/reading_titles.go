package arabic

import (
	"regexp"
	"strings"
)

// writtenTitle is an abbreviated title before a name.
var writtenTitle = regexp.MustCompile(
	`(^|[\s(«"،,:؛.])([ولبف])?(أ\.?د\.|ا\.?د\.|د\.|م\.|أ\.|ا\.|د/|م/|أ/) ?([\p{Arabic}]+)`)

// titles are the words of abbreviated titles, for a man.
var titles = map[string]string{"د": "الدكتور", "م": "المهندس", "أ": "الأستاذ", "أد": "الأستاذ الدكتور"}

// readTitles returns a text with abbreviated titles in words, as the name after them asks for: الدكتورة سارة.
func readTitles(text string) string {
	return writtenTitle.ReplaceAllStringFunc(text, func(found string) string {
		g := writtenTitle.FindStringSubmatch(found)
		key := strings.NewReplacer(".", "", "/", "", "ا", "أ").Replace(g[3])
		said := titles[key]
		if isWomansName(g[4]) {
			said = strings.ReplaceAll(said+" ", "ور ", "ورة ")
			said = strings.TrimSpace(strings.NewReplacer("المهندس ", "المهندسة ", "الأستاذ ", "الأستاذة ").Replace(said))
		}
		if g[2] == "ل" { // للدكتور: the article's alef falls away
			said, g[2] = strings.TrimPrefix(said, "ا"), "ل"
		}
		return g[1] + g[2] + said + " " + g[4]
	})
}

// Names by which a title's gender is told: men's names that end in ta marbuta, and women's that do not.
var (
	mensNames = wordSet("حمزة أسامة طلحة عبيدة معاوية حذيفة قتيبة عكرمة خليفة عطية حمادة سلامة جمعة عرفة شحاتة نعمة " +
		"ربيعة رفاعة ثعلبة مسلمة أمية عروة مرة قتادة")
	womensNames = wordSet("مريم زينب هند سعاد منى ليلى هدى نجوى سلمى ريم سمر رنا دعاء أسماء إيمان آلاء شيماء نجلاء " +
		"هيفاء لمى رهف شهد جواهر العنود هبه مها ندى وفاء رجاء سناء حنان أمل أحلام ابتسام إلهام سحر رشا لينا دينا ياسمين " +
		"نهى ضحى شذى لبنى بشرى ذكرى يسرى سهى رغد غدير عبير سوسن نادين جنى لمياء علياء هناء زهراء فاتن ميساء خلود نجود")
)

// isWomansName reports whether a first name is a woman's, as far as its spelling tells.
func isWomansName(name string) bool {
	name = StripDiacritics(name)
	return womensNames[FoldSpelling(name)] || strings.HasSuffix(name, "ة") && !mensNames[FoldSpelling(name)]
}
