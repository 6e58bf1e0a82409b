package pages_test

import (
	"html/template"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"stoa/polls/pages"
)

// checkTree holds a page against the content policy: no script but modules of
// ours, no handler, no style of its own, no address that runs something.
func checkTree(t *testing.T, tree *html.Node) {
	t.Helper()
	ids := map[string]bool{}
	for n := range tree.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if src, ok := attribute(n, "src"); n.Data == "script" && (!ok || !strings.HasPrefix(src, "/assets/") || n.FirstChild != nil) {
			t.Errorf("got an inline or foreign script %q, want assets only", src)
		}
		if n.Data == "style" {
			t.Error("got a style element, want none")
		}
		for _, a := range n.Attr {
			checkAttribute(t, n, a)
		}
		if id, ok := attribute(n, "id"); ok && ids[id] {
			t.Errorf("got id %q twice", id)
		} else if ok {
			ids[id] = true
		}
	}
}

func checkAttribute(t *testing.T, n *html.Node, a html.Attribute) {
	t.Helper()
	if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
		t.Errorf("got attribute %s=%q of %s, want none such", a.Key, a.Val, n.Data)
	}
	if slices.Contains([]string{"href", "src", "action", "formaction"}, a.Key) && strings.HasPrefix(a.Val, "javascript:") {
		t.Errorf("got %s=%q of %s, want no script in an address", a.Key, a.Val, n.Data)
	}
}

func attribute(n *html.Node, key string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val, true
		}
	}
	return "", false
}

func find(tree *html.Node, tag string) *html.Node {
	for n := range tree.Descendants() {
		if n.Data == tag {
			return n
		}
	}
	return &html.Node{}
}

func textOf(n *html.Node) string {
	var text strings.Builder
	for n := range n.Descendants() {
		if n.Type == html.TextNode {
			text.WriteString(n.Data)
		}
	}
	return text.String()
}

// filled is a view of the same type with text in every string, two elements in
// every list, and every switch on.
func filled(v pages.View, text string) pages.View {
	full := reflect.New(reflect.TypeOf(v)).Elem()
	f := filler{text: text}
	f.fill(full)
	return full.Interface().(pages.View)
}

type filler struct {
	text string
	last int64 // numbers differ, since some are ids
}

func (f *filler) fill(v reflect.Value) {
	switch v.Interface().(type) {
	case template.HTML: // trusted by definition
		v.SetString("<p>text</p>")
		return
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(1_800_000_000, 0)))
		return
	case pages.Errors:
		v.Set(reflect.ValueOf(everyError(f.text)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(f.text)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		f.last++
		v.SetInt(f.last)
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		f.each(v.Len(), v.Index)
	case reflect.Array:
		f.each(v.Len(), v.Index)
	case reflect.Struct:
		f.each(v.NumField(), v.Field)
	}
}

func (f *filler) each(n int, part func(int) reflect.Value) {
	for i := range n {
		f.fill(part(i))
	}
}

func everyError(text string) pages.Errors {
	e := pages.Errors{}
	for name := range strings.SplitSeq(" username email password email_or_username name location website about social_username current_password new_password"+
		" caption choice1 choice2 tags picture body option display_name poll_ids add embed_name placement target poll poll_set_id tag", " ") {
		e[name] = text
	}
	return e
}
