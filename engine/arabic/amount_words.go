package arabic

import "strings"

// dozen is the unit that is twelve of something.
const dozen = "درزن"

// fractions are parts of one, by folded word.
var fractions = map[string]float64{
	"نص": .5, "نصف": .5, "نصفا": .5, "ربع": .25, "ربعا": .25, "ثلث": 1. / 3, "تلت": 1. / 3, "ثلثا": 1. / 3,
	"ثلثين": 2. / 3, "تلتين": 2. / 3,
}

// measures maps a folded unit word to its folded singular.
var measures = unitTable(
	"ريال ريالات ريالا", "جنيه جنيهات جنيها جني", "درهم دراهم درهما", "دينار دنانير دينارا",
	"ليره ليرات", "دولار دولارات دولارا", "يورو", "شيكل شيقل شواكل",
	"كيلو كيلوات كيلوغرام كيلوجرام", "لتر لترات ليتر", "درزن دزينه دسته درازن", "ساعه ساعات", "دقيقه دقائق دقايق",
	"يوم ايام", "اسبوع اسابيع", "شهر شهور اشهر",
	"شخص اشخاص نفر انفار", "حبه حبات", "قطعه قطع", "وجبه وجبات", "علبه علب", "صحن صحون", "كوب اكواب", "كاس كاسات",
)

// people are folded words for people and times, which nobody orders with water.
var people = wordSet("شخص أشخاص نفر أنفار فرد أفراد ضيف ضيوف يوم أيام ساعة ساعات دقيقة دقائق مرة مرات سنة")

// subunitsPer is the number of coins in one unit of the currency; a dinar has 1,000.
var subunitsPer = map[string]float64{
	"هلله": 100, "هللات": 100, "قرش": 100, "قروش": 100, "فلس": 100, "فلوس": 100, "سنت": 100, "سنتات": 100,
	"اغوره": 100,
}

// countable are folded singulars whose duals mean two of them. It is a list because many other words have the same
// ending: ياسمين, تمرين, الحين.
var countable = wordSet("ريال جنيه درهم دينار ليرة دولار كيلو لتر درزن دزينة ساعة دقيقة يوم أسبوع شهر شخص نفر " +
	"حبة قطعة وجبة " +
	"علبة صحن كوب كأس كرتون كرتونة كيس طبق طلب طاولة قارورة زجاجة قنينة مرة ضيف طفل " +
	"برجر برغر بيتزا بيتزة ساندويتش ساندوتش سندويش شاورما شاورمة رغيف بيضة فطيرة كنافة عصير قهوة شاي بيبسي كبسة " +
	"سلطة فلافل " +
	"سمبوسة دجاجة سمكة مشروب كوكاكولا ماء موية")

func unitTable(rows ...string) map[string]string {
	out := map[string]string{}
	for _, row := range rows {
		words := strings.Fields(row)
		for _, w := range words {
			out[w] = words[0]
		}
	}
	return out
}
