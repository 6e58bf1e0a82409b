package postform_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"stoa/internal/fault"
	"stoa/polls/internal/postform"
)

func TestErrorIsToldInXML(t *testing.T) {
	t.Parallel()
	tests := []struct {
		err    error
		status int
		want   string
	}{
		{postform.Refuse(postform.AccessDenied, "no <%s>", "way"), 403, "<Code>AccessDenied</Code><Message>no &lt;way&gt;</Message>"},
		{fmt.Errorf("store: %w", postform.Refuse(postform.AccessDenied, "no")), 403, "<Code>AccessDenied</Code><Message>no</Message>"},
		{postform.Refuse(postform.SignatureDoesNotMatch, "no"), 403, "<Code>SignatureDoesNotMatch</Code><Message>no</Message>"},
		{postform.Refuse(postform.InvalidAccessKeyID, "no"), 403, "<Code>InvalidAccessKeyId</Code><Message>no</Message>"},
		{postform.Refuse(postform.EntityTooLarge, "no"), 400, "<Code>EntityTooLarge</Code><Message>no</Message>"},
		{postform.Refuse(postform.EntityTooSmall, "no"), 400, "<Code>EntityTooSmall</Code><Message>no</Message>"},
		{postform.Refuse(postform.MalformedPOSTRequest, "no"), 400, "<Code>MalformedPOSTRequest</Code><Message>no</Message>"},
		{postform.Refuse(postform.InvalidArgument, "\x00"), 400, "<Code>InvalidArgument</Code><Message>\uFFFD</Message>"},
		{fault.New(fault.Unavailable, "secret"), 503, "<Code>ServiceUnavailable</Code><Message>files cannot be stored just now: try again soon</Message>"},
		{errors.New("secret"), 500, "<Code>InternalError</Code><Message>the file was not stored: try again later</Message>"},
	}
	for _, tt := range tests {
		w := httptest.NewRecorder()
		postform.WriteError(w, tt.err, "request-7")
		want := xml.Header + "<Error>" + tt.want + "<RequestId>request-7</RequestId></Error>"
		if got := strings.TrimSpace(w.Body.String()); w.Code != tt.status || got != want {
			t.Errorf("%v: got %d %s\nwant %d %s", tt.err, w.Code, got, tt.status, want)
		}
		if got := w.Header().Get("Content-Type"); got != "application/xml" {
			t.Errorf("got Content-Type %q want application/xml", got)
		}
	}
}
