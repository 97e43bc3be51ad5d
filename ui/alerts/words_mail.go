package alerts

import "munadi/ui/locale"

// Texts of the other sentences of an alert's e-mail.

var MailSince = locale.Text{"منذ {time}", "Since {time}"}
var MailUntil = locale.Text{"انتهى في {time}", "Over at {time}"}
var MailAppliance = locale.Text{"الخادم: {name}", "Appliance: {name}"}
var MailOrganization = locale.Text{"المنظمة: {name}", "Organization: {name}"}
var MailTestTitle = locale.Text{"رسالة تجربة", "Test e-mail"}
var MailTestText = locale.Text{"هذه تجربة من مُنادي على {host}: البريد يعمل.", "This is a test of Munadi on {host}: e-mail works."}
