// Package console is where operators see and steer an environment: a single page at
// /console, and the API behind it at /api/operator, which openapi.yaml describes.
//
// The page uses the public APIs of the rooms wherever they have what it needs; the
// operator API is what they lack. Who may call it is an account of the polls that is an
// operator's, by the cookie of its login or by its token.
//
// The page itself is written in web/ and built into dist/ by scripts/console.sh.
package console
