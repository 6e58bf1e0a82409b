package reference

import (
	"html"
	"html/template"
	"regexp"
	"strings"
)

// prose renders the Markdown that our descriptions use: paragraphs, "## " headings,
// lists with "- ", blocks between ```, and inline.
func prose(text string) template.HTML {
	var b strings.Builder
	var lines []string // of the paragraph or list that is being read
	flush := func() {
		if len(lines) == 0 {
			return
		}
		if strings.HasPrefix(lines[0], "- ") {
			b.WriteString(list(lines))
		} else {
			b.WriteString("<p>" + string(inline(strings.Join(lines, " "))) + "</p>\n")
		}
		lines = nil
	}
	code := false
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		switch heading, isHeading := strings.CutPrefix(line, "## "); {
		case strings.HasPrefix(line, "```"):
			flush()
			if code = !code; code {
				b.WriteString("<pre><code>")
			} else {
				b.WriteString("</code></pre>\n")
			}
		case code:
			b.WriteString(html.EscapeString(line) + "\n")
		case isHeading:
			flush()
			b.WriteString("<h2>" + string(inline(heading)) + "</h2>\n")
		case strings.TrimSpace(line) == "":
			flush()
		default:
			lines = append(lines, line)
		}
	}
	flush()
	return template.HTML(b.String())
}

// list renders items; a line that begins none goes on with the last one.
func list(lines []string) string {
	var items []string
	for _, line := range lines {
		if item, ok := strings.CutPrefix(line, "- "); ok {
			items = append(items, item)
		} else {
			items[len(items)-1] += " " + strings.TrimSpace(line)
		}
	}
	var b strings.Builder
	b.WriteString("<ul>\n")
	for _, item := range items {
		b.WriteString("<li>" + string(inline(item)) + "</li>\n")
	}
	b.WriteString("</ul>\n")
	return b.String()
}

var codeSpan = regexp.MustCompile("`([^`]+)`")

// inline renders `code` within a line.
func inline(text string) template.HTML {
	return template.HTML(codeSpan.ReplaceAllString(html.EscapeString(text), "<code>$1</code>"))
}
