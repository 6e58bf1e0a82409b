package embed_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/polls/embed"
)

func ExampleSnippets() {
	script, iframe := embed.Snippets("https://polls.example", "acme", embed.Target{Kind: embed.KindPoll, Value: "815"}, "front")
	fmt.Println(script)
	fmt.Println(iframe)
	// Output:
	// <script async src="https://polls.example/assets/embed.js" data-publisher="acme" data-poll-id="815" data-name="front"></script>
	// <iframe src="https://polls.example/publishers/acme/embedded_polls/iframe?name=front&amp;poll_id=815" title="Poll" width="100%" height="600" loading="lazy" style="border:0;max-width:640px"></iframe>
}

func TestSnippetsNameTheTargetAsTheLoaderAndThePageDo(t *testing.T) {
	t.Parallel()
	tests := []struct {
		kind                         embed.Kind
		wantAttribute, wantParameter string
	}{
		{embed.KindPoll, `data-poll-id="7"`, "?poll_id=7"},
		{embed.KindPollSet, `data-poll-set="7"`, "?pollset_id=7"},
		{embed.KindTag, `data-tag="7"`, "?tag=7"},
		{embed.KindPlacement, `data-placement="7"`, "?placement=7"},
	}
	for _, test := range tests {
		script, iframe := embed.Snippets("https://polls.example", "acme", embed.Target{Kind: test.kind, Value: "7"}, "")
		if !strings.Contains(script, test.wantAttribute) || strings.Contains(script, "data-name") {
			t.Errorf("got %s want %s and no name", script, test.wantAttribute)
		}
		if !strings.Contains(iframe, test.wantParameter+`"`) {
			t.Errorf("got %s want %s", iframe, test.wantParameter)
		}
	}
}

func TestSnippetsEscape(t *testing.T) {
	t.Parallel()
	hostile := `"><script>alert('1')</script>&/?#é`
	script, iframe := embed.Snippets("https://polls.example", hostile, embed.Target{Kind: embed.KindTag, Value: hostile}, hostile)
	if strings.Count(script, ">") != 2 || strings.Count(script, "<") != 2 || strings.Contains(script, `""`) {
		t.Errorf("got %s, want one element", script)
	}
	want := `src="https://polls.example/publishers/%22%3E%3Cscript%3Ealert%28%271%27%29%3C%2Fscript%3E&amp;%2F%3F%23%C3%A9/embedded_polls/iframe?`
	if !strings.Contains(iframe, want) || strings.Count(iframe, "<") != 2 {
		t.Errorf("got %s, want one element and %s", iframe, want)
	}
}
