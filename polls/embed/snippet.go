package embed

import (
	"html"
	"net/url"
	"strings"
)

// Target is what an embed shows. Kind is one of the constants; Value is the id of
// a poll or a poll set, or the name of a tag or a placement.
type Target struct {
	Kind  Kind
	Value string
}

// Kind says what a target is, by the parameter of the page that names it.
type Kind string

const (
	KindPoll      Kind = "poll_id"
	KindPollSet   Kind = "pollset_id"
	KindTag       Kind = "tag"
	KindPlacement Kind = "placement"
)

// attribute is the kind in the words of embed.js.
func (k Kind) attribute() string {
	switch k {
	case KindPoll:
		return "data-poll-id"
	case KindPollSet:
		return "data-poll-set"
	default:
		return "data-" + string(k)
	}
}

// Snippets is the HTML that a publisher copies: a script that inserts an iframe
// of the right height, or an iframe for sites that take no script. The name is
// that of the embed; without one it goes by the default.
func Snippets(origin, publisher string, t Target, name string) (script, iframe string) {
	attributes := []string{"data-publisher", publisher, t.Kind.attribute(), t.Value}
	if name != "" {
		attributes = append(attributes, "data-name", name)
	}
	script = tag("script async", append([]string{"src", origin + "/assets/embed.js"}, attributes...)...)
	iframe = tag("iframe", "src", origin+PagePath(publisher, t, name),
		"title", "Poll", "width", "100%", "height", "600", "loading", "lazy", "style", "border:0;max-width:640px")
	return script, iframe
}

// PagePath is where the page in the iframe is, below the origin.
func PagePath(publisher string, t Target, name string) string {
	query := url.Values{string(t.Kind): {t.Value}}
	if name != "" {
		query.Set("name", name)
	}
	return "/publishers/" + url.PathEscape(publisher) + "/embedded_polls/iframe?" + query.Encode()
}

// tag is an empty element with attributes, given as pairs of name and value.
func tag(element string, attributes ...string) string {
	var b strings.Builder
	b.WriteString("<" + element)
	for i := 0; i+1 < len(attributes); i += 2 {
		b.WriteString(" " + attributes[i] + `="` + html.EscapeString(attributes[i+1]) + `"`)
	}
	name, _, _ := strings.Cut(element, " ")
	b.WriteString("></" + name + ">")
	return b.String()
}
