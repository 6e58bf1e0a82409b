package video_test

import (
	"reflect"
	"regexp"
	"testing"
	"time"

	"stoa/internal/db"
)

func TestUploadTokens(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ever := s.call("POST", "/upload-tokens", object{}).want(200)
		wantField(t, ever, "ttl", 0.0)
		wantField(t, ever, "expiresAt", nil)
		hour := s.call("POST", "/upload-tokens", object{"ttl": 3600}).want(200)
		wantField(t, hour, "ttl", 3600.0)
		created, err := time.Parse(time.RFC3339, hour["createdAt"].(string))
		if err != nil {
			t.Fatal(err)
		}
		expires, err := time.Parse(time.RFC3339, hour["expiresAt"].(string))
		if err != nil || expires.Sub(created) != time.Hour {
			t.Errorf("got %v (%v) after %v, want an hour later", expires, err, created)
		}
		for _, want := range []object{ever, hour} {
			token := want["token"].(string)
			if !regexp.MustCompile(`^to[0-9A-Za-z]{22}$`).MatchString(token) {
				t.Errorf("got %q want the form of an upload token", token)
			}
			if got := s.call("GET", "/upload-tokens/"+token, nil).want(200); !reflect.DeepEqual(got, want) {
				t.Errorf("got %v want %v", got, want)
			}
		}
		for query, want := range map[string][]any{
			"":                             {hour["token"], ever["token"]},
			"?sortBy=ttl":                  {ever["token"], hour["token"]},
			"?sortBy=ttl&sortOrder=desc":   {hour["token"], ever["token"]},
			"?sortBy=createdAt":            {ever["token"], hour["token"]},
			"?sortBy=createdAt&pageSize=1": {ever["token"]},
		} {
			if got := column(s.call("GET", "/upload-tokens"+query, nil).items(), "token"); !reflect.DeepEqual(got, want) {
				t.Errorf("%q: got %v want %v", query, got, want)
			}
		}
		s.call("DELETE", "/upload-tokens/"+ever["token"].(string), nil).want(204)
		s.call("GET", "/upload-tokens/"+ever["token"].(string), nil).refused(404, "resource-not-found", "uploadToken")
		s.call("DELETE", "/upload-tokens/"+ever["token"].(string), nil).refused(404, "resource-not-found", "uploadToken")
	})
}

func TestAnUploadTokenEnds(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		token := s.call("POST", "/upload-tokens", object{"ttl": 3600}).want(200)["token"].(string)
		exec(t, d, `UPDATE video_upload_tokens SET expires_at = $1`, db.Micros(time.Now().Add(-time.Second)))
		s.call("GET", "/upload-tokens/"+token, nil).refused(404, "resource-not-found", "uploadToken")
		if got := s.call("GET", "/upload-tokens", nil).items(); len(got) > 0 {
			t.Errorf("got %v want active ones only", got)
		}
		s.call("POST", "/upload-tokens", object{}).want(200)
		s.sweep()
		var rows int
		if err := d.QueryRow(t.Context(), `SELECT count(*) FROM video_upload_tokens`).Scan(&rows); err != nil || rows != 1 {
			t.Errorf("got %d rows (%v) want the one that lasts", rows, err)
		}
	})
}

func TestUploadTokensThatAreRefused(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		for _, ttl := range []any{-1, 2147483648, 1.5, "60", true, []int{1}} {
			s.call("POST", "/upload-tokens", object{"ttl": ttl}).refused(400, "invalid-attribute", "ttl")
		}
		wantField(t, s.call("POST", "/upload-tokens", object{"ttl": 2147483647}).want(200), "ttl", 2147483647.0)
		token := s.call("POST", "/upload-tokens", object{"ttl": nil}).want(200)["token"].(string)
		s.call("POST", "/upload-tokens", nil).refused(400, "invalid-payload", "")
		other := s.newKey("other", "other")
		s.callAs(other, "GET", "/upload-tokens/"+token, nil).refused(404, "resource-not-found", "uploadToken")
		s.callAs(other, "DELETE", "/upload-tokens/"+token, nil).refused(404, "resource-not-found", "uploadToken")
		if got := s.callAs(other, "GET", "/upload-tokens", nil).items(); len(got) > 0 {
			t.Errorf("got %v want nothing of another project", got)
		}
		s.call("GET", "/upload-tokens/"+token, nil).want(200)
		s.call("GET", "/upload-tokens?sortBy=token", nil).refused(400, "request-invalid-query-parameter", "sortBy")
	})
}
