package wire_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"stoa/polls/internal/wire"
)

func postVote(w http.ResponseWriter, r *http.Request) error {
	p, err := wire.Read(r)
	if err != nil {
		return err
	}
	option, err := p.NeedNumber("option")
	if err != nil {
		return err
	}
	if option != 1 && option != 2 {
		return wire.Errorf(wire.InvalidParameter, "option", "option must be 1 or 2")
	}
	return wire.JSON(w, http.StatusOK, map[string]any{"success": true, "userVote": option})
}

func Example() {
	for _, body := range []string{`{"option":2}`, `{"option":3}`, `{"option":`} {
		w := httptest.NewRecorder()
		if err := postVote(w, request("POST", "/polls/815/votes", "application/json", body)); err != nil {
			wire.Refuse(err).Write(w)
		}
		fmt.Println(w.Code, w.Body)
	}
	// Output:
	// 200 {"success":true,"userVote":2}
	// 400 {"success":false,"error":{"code":"invalid_parameter","message":"option must be 1 or 2","field":"option"}}
	// 400 {"success":false,"error":{"code":"invalid_json","message":"the body is no valid JSON: see byte 10","field":null}}
}
