package certificate

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"sync"
)

// orders says again where an order is when it is finalized. Authorities may leave that
// out (RFC 8555 has it in the answer to a new order only), and the client wants it.
type orders struct {
	next http.RoundTripper
	mu   sync.Mutex
	at   map[string]string // address of an order, by where it is finalized
}

// maxACMEAnswer is of an answer of the authority, bytes.
const maxACMEAnswer = 1 << 20

func (o *orders) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := o.next.RoundTrip(r)
	if err != nil || r.Method != http.MethodPost {
		return response, err
	}
	o.mu.Lock()
	order, finalized := o.at[r.URL.String()]
	o.mu.Unlock()
	switch location := response.Header.Get("Location"); {
	case location == "" && finalized:
		response.Header.Set("Location", order)
	case location != "" && response.StatusCode == http.StatusCreated:
		if err := o.learn(response, location); err != nil {
			return nil, err
		}
	}
	return response, nil
}

// learn looks whether an answer is a new order.
func (o *orders) learn(response *http.Response, location string) error {
	body, err := io.ReadAll(io.LimitReader(response.Body, maxACMEAnswer))
	_ = response.Body.Close()
	if err != nil {
		return err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	var order struct {
		Finalize string `json:"finalize"`
	}
	if json.Unmarshal(body, &order) == nil && order.Finalize != "" {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.at[order.Finalize] = location
	}
	return nil
}
