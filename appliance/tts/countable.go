package tts

import "strings"

// spelled maps normalized number and unit words to the case, gender or spelling of the blocks.
var spelled = map[string]string{
	"اثنين": "اثنان", "عشرين": "عشرون", "ثلاثين": "ثلاثون", "اربعين": "اربعون", "خمسين": "خمسون", "ستين": "ستون",
	"سبعين": "سبعون", "ثمانين": "ثمانون", "تسعين": "تسعون", "مئه": "مائه", "مئتان": "مائتان", "مئتين": "مائتان",
	"مائتين": "مائتان", "ثلاثمئه": "ثلاثمائه", "الاف": "الف", "الفا": "الف", "ريال": "ريالا", "ريالات": "ريالا",
	"ثلاث": "ثلاثه", "اربع": "اربعه", "خمس": "خمسه", "ست": "سته", "سبع": "سبعه", "ثماني": "ثمانيه", "ثمان": "ثمانيه",
	"تسع": "تسعه", "احدي": "واحد", "اثنتان": "اثنان", "العشرين": "عشرون", "الثلاثين": "ثلاثون",
	"اربعمائه": "اربعه مائه", "خمسمائه": "خمسه مائه", "ستمائه": "سته مائه", "سبعمائه": "سبعه مائه",
	"ثمانمائه": "ثمانيه مائه", "تسعمائه": "تسعه مائه", "اربعمئه": "اربعه مائه", "خمسمئه": "خمسه مائه",
	"ستمئه": "سته مائه", "سبعمئه": "سبعه مائه", "ثمانمئه": "ثمانيه مائه", "تسعمئه": "تسعه مائه",
}

// teens converts 11 to 19 to the feminine forms of the building blocks.
var teens = strings.NewReplacer(
	"احدي عشره", "احد عشر", "اثنتا عشره", "اثنا عشر", "ثلاث عشره", "ثلاثه عشر", "اربع عشره", "اربعه عشر", "خمس عشره",
	"خمسه عشر", "ست عشره", "سته عشر", "سبع عشره", "سبعه عشر", "ثماني عشره", "ثمانيه عشر", "تسع عشره", "تسعه عشر",
)

// countableWords converts normalized words to the blocks' spelling.
func countableWords(words []string) []string {
	out := make([]string, 0, len(words))
	words = strings.Fields(teens.Replace(strings.Join(words, " ")))
	for _, w := range words {
		other, found := spelled[w]
		if rest, joined := strings.CutPrefix(w, "و"); !found && joined {
			if other, found = spelled[rest]; found {
				other = "و" + other
			}
		}
		if found {
			w = other
		}
		out = append(out, strings.Fields(w)...)
	}
	return out
}
