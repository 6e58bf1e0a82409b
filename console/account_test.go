package console_test

import (
	"net/http"
	"testing"

	"stoa/internal/db"
)

func TestAccountsAreMadeFoundAndChanged(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		made := k.ask("POST", "/system/accounts", `{"username":"ann","email":"ann@example.com"}`).object()
		if made["password"] == "" || made["account"].(object)["operator"] != false {
			t.Errorf("got %v want an ordinary account with a password", made)
		}
		k.ask("POST", "/system/accounts", `{"username":"Ann","email":"other@example.com"}`).refused(409, "conflict")
		k.ask("POST", "/system/accounts", `{}`).refused(422, "unprocessable_entity")
		found := k.ask("GET", "/system/accounts?search=ann", "").object()["accounts"].([]any)
		if len(found) != 1 || found[0].(object)["username"] != "ann" {
			t.Errorf("got %v want ann", found)
		}
		k.done("PUT", "/system/accounts/ann/password", `{"password":"correct horse"}`)
		k.ask("PUT", "/system/accounts/ann/password", `{"password":"x"}`).refused(422, "unprocessable_entity")
		k.done("PATCH", "/system/accounts/ann", `{"operator":true}`)
		k.done("PATCH", "/system/accounts/ann", `{"operator":false,"suspended":true}`)
		ann := k.ask("GET", "/system/accounts/ann", "").object()["account"].(object)
		if ann["suspended"] != true || ann["operator"] != false || ann["you"] != false {
			t.Errorf("got %v want ann suspended, and no operator", ann)
		}
		k.done("DELETE", "/system/accounts/ann", "")
		k.ask("GET", "/system/accounts/ann", "").refused(404, "not_found")
	})
}

func TestOperatorsCannotShutThemselvesOut(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		k.ask("PATCH", "/system/accounts/operator", `{"suspended":true}`).refused(400, "invalid")
		k.ask("PATCH", "/system/accounts/OPERATOR", `{"operator":false}`).refused(400, "invalid")
		k.ask("DELETE", "/system/accounts/operator", "").refused(400, "invalid")
		if me := k.ask("GET", "/system/accounts/operator", "").object()["account"].(object); me["you"] != true || me["operator"] != true {
			t.Errorf("got %v want it unchanged", me)
		}
	})
}

func TestLoginsAreEnded(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		token := k.logIn("ann", false)
		logins := k.ask("GET", "/system/accounts/ann", "").object()["logins"].([]any)
		if len(logins) != 1 {
			t.Fatalf("got %v want one login", logins)
		}
		k.ask("DELETE", "/system/accounts/ann/logins/0123456789ab", "").refused(404, "not_found")
		if got := k.ask("DELETE", "/system/accounts/ann/logins/"+logins[0].(object)["id"].(string), "").object(); got["ended"] != 1.0 {
			t.Errorf("got %v want it ended", got)
		}
		if got := k.send("GET", "/api/v4/users/me", http.Header{"Authorization": {"Bearer " + token}}, ""); got.status != 401 {
			t.Errorf("got %d want the token worthless", got.status)
		}
		if got := k.ask("DELETE", "/system/accounts/ann/logins", "").object(); got["ended"] != 0.0 {
			t.Errorf("got %v want none left", got)
		}
	})
}

func TestKeysAreMadeSuspendedAndDeleted(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		k.ask("POST", "/video/access", `{"project":"default"}`).object()
		text, _ := k.ask("POST", "/system/keys", `{"name":"my-site","limits":{"uploads":1,"writes":2,"reads":3}}`).object()["key"].(string)
		if len(text) < 32 {
			t.Errorf("got %q want the text of the key", text)
		}
		k.ask("POST", "/system/keys", `{"name":"my-site"}`).refused(400, "invalid")
		k.ask("POST", "/system/keys", `{"name":"b","limits":{"uploads":1,"writes":0,"reads":0}}`).refused(400, "invalid")
		k.ask("POST", "/system/keys", `{"name":"b","limits":{"uploads":-1,"writes":1,"reads":1}}`).refused(400, "invalid")
		k.done("PATCH", "/system/keys/my-site", `{"suspended":true}`)
		k.ask("PATCH", "/system/keys/my-site", `{}`).refused(400, "invalid")
		k.ask("PATCH", "/system/keys/other", `{"suspended":true}`).refused(404, "not_found")
		keys := k.ask("GET", "/system/keys", "").object()["keys"].([]any)
		if len(keys) != 2 || keys[0].(object)["console"] != true || keys[1].(object)["suspended"] != true || keys[1].(object)["limits"].(object)["reads"] != 3.0 {
			t.Errorf("got %v want the console's and ours", keys)
		}
		k.done("DELETE", "/system/keys/my-site", "")
	})
}

// done asks for something that is answered without words.
func (k *desk) done(method, path, body string) {
	k.t.Helper()
	if got := k.ask(method, path, body); got.status != http.StatusNoContent {
		k.t.Errorf("%s %s: got %d %s want 204", method, path, got.status, got.body)
	}
}
