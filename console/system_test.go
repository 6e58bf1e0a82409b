package console_test

import (
	"context"
	"strings"
	"testing"

	"stoa/console"
	"stoa/internal/config"
	"stoa/internal/db"
	"stoa/internal/health"
)

func TestSystemShowsHealthAndVersions(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		parts := []health.Part{{Room: "polls", Name: "database", State: health.OK}, {Room: "video", Name: "files", State: health.Degraded, Reason: "away", Detail: "10.0.0.7"}}
		k := newDesk(t, d, func(o *console.Options) { o.Health = func(context.Context) []health.Part { return parts } })
		got := k.ask("GET", "/system", "").object()
		if got["state"] != "degraded" || len(got["parts"].([]any)) != 2 {
			t.Errorf("got %v want both parts, and the worst of them", got)
		}
		var names strings.Builder
		for _, v := range k.ask("GET", "/system/versions", "").object()["versions"].([]any) {
			names.WriteString(v.(object)["name"].(string) + " ")
		}
		for _, want := range []string{"Stoa", "Go", "Database", "ffmpeg"} {
			if !strings.Contains(names.String(), want+" ") {
				t.Errorf("got versions of %swant %s too", names.String(), want)
			}
		}
	})
}

func TestStorageTellsWhatFilesAreFor(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d, func(o *console.Options) {
			o.Folder = t.TempDir()
			for key, size := range map[string]int{
				"video/vi1/source/a": 100, "video/vi1/hls/240p/0.m4s": 10, "video/vi1/hls/240p/1.m4s": 20, "images/1/medium.jpeg": 5, "odd": 1,
			} {
				if _, err := o.Blobs.Put(t.Context(), key, strings.NewReader(strings.Repeat("x", size)), ""); err != nil {
					t.Fatal(err)
				}
			}
		})
		got := k.ask("GET", "/system/storage", "").object()
		if got["database"].(float64) < 4096 || got["disk"].(object)["free"].(float64) <= 0 {
			t.Errorf("got %v want sizes", got)
		}
		var uses []string
		for _, u := range got["files"].(object)["uses"].([]any) {
			uses = append(uses, u.(object)["use"].(string))
		}
		if got := strings.Join(uses, " "); got != "video_sources video_streams poll_pictures other" {
			t.Errorf("got %s want the largest first", got)
		}
	})
}

func TestSettingsAreShown(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d, func(o *console.Options) {
			o.Settings = []config.Setting{{Name: "data", Value: "/var/lib/stoa", Origin: config.FromVariable, Place: "STOA_DATA", Help: "Folder."}}
		})
		settings := k.ask("GET", "/system/settings", "").object()["settings"].([]any)
		if len(settings) != 1 || settings[0].(object)["origin"] != "variable" {
			t.Errorf("got %v want the one setting", settings)
		}
	})
}
