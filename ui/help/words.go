// Package help is the console's manual as a person sees it: its pages, and what a search finds.
package help

import "munadi/ui/locale"

var Title = locale.Text{"المساعدة", "Help"}
var Lead = locale.Text{"الأدلة كلها هنا، وتُقرأ بلا إنترنت.", "All guides, readable without a network."}
var Search = locale.Text{"بحث في المساعدة", "Search the help"}
var Found = locale.Text{"نتائج البحث", "Search results"}
var OnPage = locale.Text{"في هذه الصفحة", "On this page"}
