package postform

import (
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"

	"stoa/internal/fault"
)

// Code is S3's name of a failure.
type Code string

const (
	AccessDenied          Code = "AccessDenied"
	SignatureDoesNotMatch Code = "SignatureDoesNotMatch"
	InvalidAccessKeyID    Code = "InvalidAccessKeyId"
	EntityTooLarge        Code = "EntityTooLarge"
	EntityTooSmall        Code = "EntityTooSmall"
	MalformedPOSTRequest  Code = "MalformedPOSTRequest"
	InvalidArgument       Code = "InvalidArgument"
	ServiceUnavailable    Code = "ServiceUnavailable"
	InternalError         Code = "InternalError"
)

func (c Code) status() int {
	switch c {
	case AccessDenied, SignatureDoesNotMatch, InvalidAccessKeyID:
		return http.StatusForbidden
	case ServiceUnavailable:
		return http.StatusServiceUnavailable
	case InternalError:
		return http.StatusInternalServerError
	}
	return http.StatusBadRequest
}

// Error is a refusal. Its message is for the client.
type Error struct {
	Code    Code
	Message string
}

// Refuse makes an Error. Whoever stores files may refuse them with one, too.
func Refuse(code Code, format string, args ...any) *Error {
	return &Error{code, fmt.Sprintf(format, args...)}
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// WriteError answers with S3's XML. What is no *Error is told as trouble of
// ours, without its text: the caller logs it.
func WriteError(w http.ResponseWriter, err error, requestID string) {
	e, ok := errors.AsType[*Error](err)
	switch {
	case ok:
	case errors.Is(err, fault.Unavailable):
		e = Refuse(ServiceUnavailable, "files cannot be stored just now: try again soon")
	default:
		e = Refuse(InternalError, "the file was not stored: try again later")
	}
	body, _ := xml.Marshal(struct { // strings only
		XMLName       xml.Name `xml:"Error"`
		Code, Message string
		RequestID     string `xml:"RequestId"`
	}{Code: string(e.Code), Message: e.Message, RequestID: requestID})
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(e.Code.status())
	fmt.Fprintf(w, "%s%s\n", xml.Header, body)
}
