package rls

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"stoa/internal/fault"
)

// maxBody bounds a JSON request as the library bounds a gRPC one.
const maxBody = 4 << 20

var (
	errTooLarge = fault.New(fault.TooLarge, "the body is larger than 4 MiB")
	errInternal = fault.New(fault.Internal, "internal error")
)

// readJSON reads a decision request.
func readJSON(w http.ResponseWriter, r *http.Request) (*rlsv3.RateLimitRequest, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, tooLarge := err.(*http.MaxBytesError); tooLarge {
		return nil, errTooLarge
	}
	if err != nil {
		return nil, fault.New(fault.Invalid, "the body cannot be read: %v", err)
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, fault.New(fault.Invalid, "the body is empty, want a rate limit request in JSON")
	}
	request := new(rlsv3.RateLimitRequest)
	if err := protojson.Unmarshal(body, request); err != nil {
		return nil, fault.New(fault.Invalid, "the body is no rate limit request: %s", plainText(err))
	}
	return request, nil
}

// plainText is an error of the protobuf library without the odd blank that it puts
// in at random, so that nobody relies on its texts.
func plainText(err error) string { return strings.ReplaceAll(err.Error(), "\u00a0", " ") }

// MarshalJSON is a message in proto3's JSON, without the blanks that the library
// varies on purpose.
func MarshalJSON(m proto.Message) ([]byte, error) {
	text, err := protojson.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("write JSON: %w", err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return nil, fmt.Errorf("write JSON: %w", err)
	}
	return compact.Bytes(), nil
}
