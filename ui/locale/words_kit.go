package locale

// Texts of components, the same on every page.

var KitPages = Text{"صفحات القائمة", "Pages of the list"}
var KitPrevious = Text{"السابق", "Previous"}
var KitNext = Text{"التالي", "Next"}
var KitCopy = Text{"نسخ", "Copy"}
var KitCopied = Text{"نُسخ", "Copied"}

// of a list
var KitSearch = Text{"بحث", "Search"}
var KitAll = Text{"الكل", "All"}
var KitCSV = Text{"تنزيل CSV", "Download CSV"}
var KitNoMatch = Text{"لا سطر يطابق البحث.", "No line matches the search."}
var KitBadNumber = Text{"اكتب عددًا.", "Write a number."}
