package app_test

import (
	"strings"
	"testing"
	"time"

	"stoa/app"
	"stoa/internal/db/dbtest"
)

func TestDoctorJudgesClocks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		ahead time.Duration
		ok    bool
		want  string
	}{
		{2 * time.Second, true, "agrees"},
		{-2 * time.Second, true, "agrees"},
		{time.Hour, false, "is 1h0m0s behind this machine"},
		{-90 * time.Second, false, "is 1m30s ahead of this machine"},
	} {
		if got := app.JudgeClock("clock", test.ahead); got.OK != test.ok || !strings.Contains(got.Detail, test.want) || got.OK != (got.Fix == "") {
			t.Errorf("%v: got %+v, want %q", test.ahead, got, test.want)
		}
	}
	if got := app.ExamineYear(time.Unix(0, 0)); got.OK || !strings.Contains(got.Detail, "1970") {
		t.Errorf("got %+v, want that 1970 is over", got)
	}
}

func TestDoctorLooksAtTheClockOfTheDatabase(t *testing.T) {
	t.Parallel()
	settings := pollSettings(t.TempDir())
	settings.DB = app.Database(dbtest.Postgres(t))
	for _, f := range app.Examine(t.Context(), settings, nil) {
		if f.What == "clock of the production database" {
			if !f.OK {
				t.Errorf("got %+v, want that it agrees", f)
			}
			return
		}
	}
	t.Error("got nothing of that clock")
}
