package wire_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"stoa/polls/internal/wire"
)

func TestJSONIsSentWithTypeAndLength(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	err := wire.JSON(w, http.StatusCreated, map[string]any{"caption": "<b> & \u00e9", "ids": []int64{1, 1<<53 - 1}})
	want := `{"caption":"<b> & é","ids":[1,9007199254740991]}`
	if err != nil || w.Code != http.StatusCreated || w.Body.String() != want {
		t.Errorf("got %d %s (%v), want 201 %s", w.Code, w.Body, err, want)
	}
	for name, want := range map[string]string{"Content-Type": "application/json; charset=utf-8", "Content-Length": "49"} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("got %s %q, want %q", name, got, want)
		}
	}
}

func TestJSONThatCannotBeEncodedWritesNothing(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	if err := wire.JSON(w, http.StatusOK, func() {}); err == nil || w.Body.Len() > 0 || len(w.Header()) > 0 {
		t.Errorf("got error %v, headers %v and body %q, want an error alone", err, w.Header(), w.Body)
	}
}
