// Package wire is the outer form of the polls API, version 4: how a request
// carries its parameters, and how answers and errors look.
//
// A handler reads, asks, and answers:
//
//	p, err := wire.Read(r)
//	…
//	option, err := p.NeedNumber("option")
//	…
//	return wire.JSON(w, http.StatusOK, tally)
//
// Whatever Read and its Params return as an error is a [*Error], which has a
// code and a sentence for the caller. [Refuse] makes one of any other error, and
// [Error.Write] sends it. [Headers], [CORS], [NotFound] and [MethodNotAllowed]
// are for the listener around the handlers.
package wire
