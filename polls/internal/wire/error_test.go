package wire_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"stoa/internal/fault"
	"stoa/polls/internal/wire"
)

func TestEveryCodeHasItsStatus(t *testing.T) {
	t.Parallel()
	for status, codes := range map[int]string{
		400: "invalid_json invalid_encoding invalid_parameter duplicate_parameter ambiguous_identity",
		401: "authentication_required invalid_token invalid_credentials invalid_anonymous_user_id",
		403: "forbidden not_confirmed suspended",
		404: "not_found poll_not_found user_not_found publisher_not_found image_not_found unknown_version",
		405: "method_not_allowed",
		409: "poll_not_ready already_ready image_not_uploaded username_taken email_taken name_taken already_in_team idempotency_conflict",
		413: "body_too_large",
		415: "unsupported_media_type",
		422: "missing_parameter too_long too_short invalid_text choices_identical image_invalid invalid_url",
		429: "rate_limited",
		500: "internal no_such_code",
		503: "unavailable",
	} {
		for code := range strings.FieldsSeq(codes) {
			if got := wire.Code(code).Status(); got != status {
				t.Errorf("%s: got status %d, want %d", code, got, status)
			}
		}
	}
}

func TestErrorIsWrittenInItsOneShape(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err  *wire.Error
		want string
	}{
		{wire.Errorf(wire.InvalidParameter, "option", "option must be %d or %d", 1, 2),
			`{"success":false,"error":{"code":"invalid_parameter","message":"option must be 1 or 2","field":"option"}}`},
		{wire.Errorf(wire.Unknown, "", `no "<a> & b"`),
			`{"success":false,"error":{"code":"not_found","message":"no \"<a> & b\"","field":null}}`},
		{wire.Missing("caption"),
			`{"success":false,"error":{"code":"missing_parameter","message":"caption is required","field":"caption"}}`},
	} {
		got := httptest.NewRecorder()
		test.err.Write(got)
		if got.Body.String() != test.want {
			t.Errorf("got  %s\nwant %s", got.Body, test.want)
		}
		if got.Code != test.err.Code.Status() || got.Header().Get("Content-Type") != "application/json; charset=utf-8" {
			t.Errorf("got %d %v, want %d and the type of JSON", got.Code, got.Header(), test.err.Code.Status())
		}
	}
}

func TestRetryAfterIsSentWhereItIsAskedFor(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		code  wire.Code
		after time.Duration
		want  string
	}{
		{wire.RateLimited, 0, "1"},
		{wire.RateLimited, 59*time.Second + time.Millisecond, "60"},
		{wire.Unavailable, 0, "1"},
		{wire.Unavailable, 5 * time.Second, "5"},
		{wire.PollNotFound, 0, ""},
	} {
		got := httptest.NewRecorder()
		(&wire.Error{Code: test.code, RetryAfter: test.after}).Write(got)
		if header := got.Header().Get("Retry-After"); header != test.want {
			t.Errorf("%s after %v: got Retry-After %q, want %q", test.code, test.after, header, test.want)
		}
	}
}

func TestRefuseTellsOnlyWhatIsMeantForTheCaller(t *testing.T) {
	t.Parallel()
	secret := errors.New("SELECT password FROM users")
	for _, test := range []struct {
		name string
		err  error
		want wire.Code
	}{
		{"an error of this package", fmt.Errorf("vote: %w", wire.Missing("option")), wire.MissingParameter},
		{"storage that is away", fmt.Errorf("vote: %w", fault.Wrap(fault.Unavailable, secret)), wire.Unavailable},
		{"a caller that has gone", fmt.Errorf("vote: %w: %w", context.Canceled, secret), wire.Unavailable},
		{"too little time", fmt.Errorf("vote: %w: %w", context.DeadlineExceeded, secret), wire.Unavailable},
		{"anything else", secret, wire.Internal},
		{"a fault of another kind", fault.Wrap(fault.Invalid, secret), wire.Internal},
	} {
		got := wire.Refuse(test.err)
		if got.Code != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got.Code, test.want)
		}
		if strings.Contains(got.Message, "SELECT") {
			t.Errorf("%s: got message %q, want nothing of the cause", test.name, got.Message)
		}
	}
}
