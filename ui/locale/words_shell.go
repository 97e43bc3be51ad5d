package locale

// Texts of the frame around every page.

// the name as this language writes it
var ShellProduct = Text{"مُنادي", "Munadi"}

// first link of the page, for the keyboard
var ShellSkip = Text{"إلى المحتوى", "Skip to content"}

// labels of the appearance switch, by the target appearance
var ShellLight = Text{"المظهر الفاتح", "Light appearance"}
var ShellDark = Text{"المظهر الداكن", "Dark appearance"}

// accessible name of the footer's navigation
var ShellFooter = Text{"روابط الخدمة", "Service links"}
var ShellVersion = Text{"الإصدار", "Version"}
var ShellConsole = Text{"لوحة التحكم", "Console"}
var ShellDocs = Text{"التوثيق", "Documentation"}
var ShellOpenAPI = Text{"وصف OpenAPI", "OpenAPI description"}
var ShellHealth = Text{"حالة الخدمة", "Service health"}

// says, in the other language, that it is the same page
var ShellSameText = Text{"This page in English", "هذه الصفحة بالعربية"}

// the warning over an unencrypted page; a command follows
var ShellExposed = Text{"هذا الاتصال غير مشفّر: يستطيع غيرك على الشبكة قراءة كلمات المرور والمفاتيح وسماع الصوت. لتشغيل التشفير نفّذ:", "This connection is not encrypted: others on the network can read passwords, keys and audio. To encrypt it, run:"}
