package storybook

import (
	"munadi/ui/component"
	"munadi/ui/help"
	"munadi/ui/locale"
)

// helpPage lists two pages.
func helpPage(l locale.Language) help.View {
	return help.View{
		ConsolePage: consoleFrame(l, "help", help.Title.In(l)), TableList: component.TableList{Action: "/console/help"},
		Groups: []help.Group{
			{Language: locale.Arabic, Pages: []help.Link{{Path: "/console/help/ar/campaigns", Name: "دليل الحملات"}}},
			{Language: locale.English, Pages: []help.Link{{Path: "/console/help/en/sip", Name: "Telephone lines <SIP>"}}},
		},
	}
}

// foundPage is a search with one result.
func foundPage(l locale.Language) help.View {
	p := helpPage(l)
	p.Filter, p.Shown = "NAT", 1
	p.Found = []help.Link{{
		Path: "/console/help/en/sip#nat", Name: "NAT", Language: locale.English, Page: "Telephone lines <SIP>",
		Excerpt: "… sip-public-ip is the router's public address …",
	}}
	return p
}

// articlePage is an Arabic page with a heading, a table and code.
func articlePage(l locale.Language) help.ArticleView {
	return help.ArticleView{
		ConsolePage: consoleFrame(l, "help", "دليل الحملات"), TableList: component.TableList{Action: "/console/help"},
		Language: locale.Arabic, Sections: []help.Link{{Path: "#a", Name: "من ملف"}, {Path: "#b", Name: "النتائج"}},
		HTML: `<h1 id="x">دليل الحملات</h1><h2 id="a">من ملف</h2><p>اقرأ <a href="/console/help/en/sip">sip</a> و<code>sip-plus</code>.</p>` +
			`<div class="help-table" tabindex="0"><table><thead><tr><th>ما</th></tr></thead><tbody><tr><td>كيف</td></tr></tbody></table></div>` +
			`<h2 id="b">النتائج</h2><pre><code>munadi doctor</code></pre>`,
	}
}
