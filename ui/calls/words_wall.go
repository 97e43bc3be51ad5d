package calls

import "munadi/ui/locale"

// Texts of the wall of running calls.

var WallTitle = locale.Text{"المكالمات الجارية", "Running calls"}
var WallLead = locale.Text{"آخر ما قيل في كل مكالمة. اضغط زر الاستماع لتسمعها.", "What was said last in each call. Press the button to listen in."}
var WallNone = locale.Text{"لا مكالمات جارية الآن", "No calls are running"}
var WallNoneText = locale.Text{"تظهر هنا كل مكالمة حين يبدأ الاتصال.", "Each call shows up here when it is dialled."}
var WallMore = locale.Text{"مكالمات أخرى جارية لا تظهر هنا.", "Further calls are running that are not shown here."}
var WallOpen = locale.Text{"الجارية الآن", "Running now"}
