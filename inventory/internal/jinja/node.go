package jinja

// expression is a node that has a value. eval never returns a Lazy value.
type expression interface {
	eval(st *state, sc *scope) (any, error)
	place() where
}

// statement is a node that writes or binds.
type statement interface {
	exec(st *state, sc *scope) error
}

// where is the part of the source a node was read from, in byte offsets.
type where struct{ from, to int }

func (w where) place() where { return w }

type (
	literal struct {
		where
		value any
	}
	name struct {
		where
		name string
	}
	listNode struct {
		where
		items []expression
	}
	tupleNode struct {
		where
		items []expression
	}
	mapNode struct {
		where
		keys, values []expression
	}
	attribute struct {
		where
		of   expression
		name string
	}
	subscript struct {
		where
		of, key expression
	}
	slice struct {
		where
		of               expression
		start, end, step expression // each may be nil
	}
	call struct {
		where
		callee expression
		args   argumentNodes
	}
	filterNode struct {
		where
		of   expression // nil in a filter block
		name string
		fn   filter
		args argumentNodes
	}
	testNode struct {
		where
		of   expression
		name string
		fn   test
		args argumentNodes
		not  bool
	}
	unary struct {
		where
		op string
		of expression
	}
	binary struct {
		where
		op          string
		left, right expression
	}
	logical struct {
		where
		or          bool
		left, right expression
	}
	comparison struct {
		where
		first expression
		ops   []string
		rest  []expression
	}
	concat struct {
		where
		parts []expression
	}
	conditional struct {
		where
		test, then, otherwise expression // otherwise may be nil
	}
)

type argumentNodes struct {
	positional []expression
	named      []namedNode
	spread     expression // *args
	spreadMap  expression // **kwargs
}

type namedNode struct {
	name  string
	value expression
}

type (
	textNode  struct{ text string }
	printNode struct{ of expression }
	block     []statement
	ifNode    struct {
		tests  []expression
		bodies []block
		orElse block
	}
	forNode struct {
		where
		target    target
		over      expression
		condition expression
		body      block
		orElse    block
		recursive bool
	}
	setNode struct {
		where
		target target
		value  expression
	}
	setBlock struct {
		where
		target  target
		filters []*filterNode
		body    block
	}
	filterBlock struct {
		filters []*filterNode
		body    block
	}
	withNode struct {
		targets []target
		values  []expression
		body    block
	}
	macroNode struct {
		where
		name     string
		params   []string
		defaults []expression // of the last params
		body     block
		varargs  bool // the body names varargs, kwargs or caller
		kwargs   bool
		caller   bool
	}
	callBlock struct {
		where
		call  *call
		macro *macroNode
	}
	blockNode struct {
		body   block
		scoped bool
	}
)

// target is the left side of an assignment: a name, a member of a namespace,
// or several targets to unpack into.
type target struct {
	where
	name   string
	member string
	parts  []target
}
