// Package jinja renders the Jinja2 templates that stand in the strings of a
// cluster document, and spells the results as Python would: True, None,
// [1, 'two'], (1, 34, 2).
//
// A document is not trusted and its values are templates themselves, which
// sets two conditions. Names and members are computed when a template asks
// for them, through a lookup function and Lazy values, and may fail. And a
// template can do nothing but compute: it opens no file, cannot change the
// document, and stops at its Budget of steps, bytes, depth and time.
//
// gonja v2.9.1 was tried first. Its context is a plain map, so nothing can be
// lazy; a loop cannot be stopped or counted; and its spelling is not Python's:
// None prints as nothing, (1, 2) as [1, 2], 2**3 as 8.0, -7//2 as -3, quotes
// inside lists are not escaped. Those lie in its core, so this is an engine of
// our own: lexer → parser → a tree of nodes that evaluate themselves.
//
// Differences from Jinja2: integers have 64 bits and overflow is an error;
// include, import, extends and the filters random, pprint, urlize and xmlattr
// are refused; what a generator gives prints as a list; lists and mappings
// made by a template may change (append, update), those of the document may
// not; a member of a mapping wins over the method of that name unless called;
// nothing is ever escaped for HTML, except by the filter escape.
package jinja
