package config_test

import (
	"io"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"stoa/internal/config"
)

func TestSettingsTellWhereTheyComeFrom(t *testing.T) {
	write(t, "data: from-file\n\nworkers: 7\nsecret: 12\nlimits: off\n")
	environ := map[string]string{"STOA_WORKERS": "8", "STOA_ALLOW": "a,b", "STOA_QUIET": ""}
	var c cli
	k, err := kong.New(&c, kong.Writers(io.Discard, io.Discard), kong.Bind(environ))
	if err != nil {
		t.Fatal(err)
	}
	command, err := k.Parse([]string{"serve", "--limits=on", "--pairs", "2"})
	if err != nil {
		t.Fatal(err)
	}
	sources, err := config.Resolver("", environ)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][3]string{}
	for _, s := range sources.Settings(command) {
		got[s.Name] = [3]string{s.Value, string(s.Origin), s.Place}
	}
	want := map[string][3]string{
		"data": {"from-file", "file", "stoa.yaml:1"}, "video_listen": {":8001", "default", ""}, "limits": {"on", "flag", "--limits"},
		"modes": {"a", "default", ""}, "workers": {"8", "variable", "STOA_WORKERS"}, "pairs": {"2", "flag", "--pairs"},
		"wait": {"0s", "default", ""}, "quiet": {"false", "default", ""}, "allow": {"a,b", "variable", "STOA_ALLOW"}, "secret": {"••••••", "file", "stoa.yaml:4"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want(-) got(+):\n%s", diff)
	}
}
