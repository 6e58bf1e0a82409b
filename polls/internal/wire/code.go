package wire

import "net/http"

// Code is what a program reads in an error. Codes never change their meaning.
type Code string

const (
	InvalidJSON        Code = "invalid_json"
	InvalidEncoding    Code = "invalid_encoding"
	InvalidParameter   Code = "invalid_parameter"
	DuplicateParameter Code = "duplicate_parameter"
	AmbiguousIdentity  Code = "ambiguous_identity"

	AuthenticationRequired Code = "authentication_required"
	InvalidToken           Code = "invalid_token"
	InvalidCredentials     Code = "invalid_credentials"
	InvalidAnonymousUserID Code = "invalid_anonymous_user_id"

	Forbidden    Code = "forbidden"
	NotConfirmed Code = "not_confirmed"
	Suspended    Code = "suspended"

	Unknown           Code = "not_found"
	PollNotFound      Code = "poll_not_found"
	UserNotFound      Code = "user_not_found"
	PublisherNotFound Code = "publisher_not_found"
	ImageNotFound     Code = "image_not_found"
	UnknownVersion    Code = "unknown_version"

	WrongMethod Code = "method_not_allowed"

	PollNotReady        Code = "poll_not_ready"
	AlreadyReady        Code = "already_ready"
	ImageNotUploaded    Code = "image_not_uploaded"
	UsernameTaken       Code = "username_taken"
	EmailTaken          Code = "email_taken"
	NameTaken           Code = "name_taken"
	AlreadyInTeam       Code = "already_in_team"
	IdempotencyConflict Code = "idempotency_conflict"

	BodyTooLarge         Code = "body_too_large"
	UnsupportedMediaType Code = "unsupported_media_type"

	MissingParameter Code = "missing_parameter"
	TooLong          Code = "too_long"
	TooShort         Code = "too_short"
	InvalidText      Code = "invalid_text"
	ChoicesIdentical Code = "choices_identical"
	ImageInvalid     Code = "image_invalid"
	InvalidURL       Code = "invalid_url"

	RateLimited Code = "rate_limited"
	Internal    Code = "internal"
	Unavailable Code = "unavailable"
)

var statuses = map[Code]int{
	InvalidJSON:        http.StatusBadRequest,
	InvalidEncoding:    http.StatusBadRequest,
	InvalidParameter:   http.StatusBadRequest,
	DuplicateParameter: http.StatusBadRequest,
	AmbiguousIdentity:  http.StatusBadRequest,

	AuthenticationRequired: http.StatusUnauthorized,
	InvalidToken:           http.StatusUnauthorized,
	InvalidCredentials:     http.StatusUnauthorized,
	InvalidAnonymousUserID: http.StatusUnauthorized,

	Forbidden:    http.StatusForbidden,
	NotConfirmed: http.StatusForbidden,
	Suspended:    http.StatusForbidden,

	Unknown:           http.StatusNotFound,
	PollNotFound:      http.StatusNotFound,
	UserNotFound:      http.StatusNotFound,
	PublisherNotFound: http.StatusNotFound,
	ImageNotFound:     http.StatusNotFound,
	UnknownVersion:    http.StatusNotFound,

	WrongMethod: http.StatusMethodNotAllowed,

	PollNotReady:        http.StatusConflict,
	AlreadyReady:        http.StatusConflict,
	ImageNotUploaded:    http.StatusConflict,
	UsernameTaken:       http.StatusConflict,
	EmailTaken:          http.StatusConflict,
	NameTaken:           http.StatusConflict,
	AlreadyInTeam:       http.StatusConflict,
	IdempotencyConflict: http.StatusConflict,

	BodyTooLarge:         http.StatusRequestEntityTooLarge,
	UnsupportedMediaType: http.StatusUnsupportedMediaType,

	MissingParameter: http.StatusUnprocessableEntity,
	TooLong:          http.StatusUnprocessableEntity,
	TooShort:         http.StatusUnprocessableEntity,
	InvalidText:      http.StatusUnprocessableEntity,
	ChoicesIdentical: http.StatusUnprocessableEntity,
	ImageInvalid:     http.StatusUnprocessableEntity,
	InvalidURL:       http.StatusUnprocessableEntity,

	RateLimited: http.StatusTooManyRequests,
	Internal:    http.StatusInternalServerError,
	Unavailable: http.StatusServiceUnavailable,
}

// Status is the HTTP status that a code is answered with.
func (c Code) Status() int {
	if status, ok := statuses[c]; ok {
		return status
	}
	return http.StatusInternalServerError
}
