package jinja

import "slices"

var sequenceFilters = map[string]filter{
	"list":     filterList,
	"join":     filterJoin,
	"first":    end(0),
	"last":     end(-1),
	"min":      extreme(-1),
	"max":      extreme(1),
	"sum":      filterSum,
	"sort":     filterSort,
	"dictsort": filterDictSort,
	"groupby":  filterGroupBy,
	"unique":   filterUnique,
	"reverse":  filterReverse,
	"batch":    filterBatch,
	"slice":    filterSlice,
}

func filterList(st *state, v any, a arguments) (any, error) {
	if _, err := a.bind(); err != nil {
		return nil, err
	}
	items, err := st.items(v)
	if err != nil {
		return nil, err
	}
	return newList(slices.Clone(items)), st.charge(bytesPerItem * len(items))
}

func filterJoin(st *state, v any, a arguments) (any, error) {
	p, err := a.bind("d", "attribute")
	if err != nil {
		return nil, err
	}
	sep, err := st.text(p.or(0, ""))
	if err != nil {
		return nil, err
	}
	if p.given(1) {
		g, err := newGetter(p.values[1], absent{})
		if err != nil {
			return nil, err
		}
		items, err := st.items(v)
		if err != nil {
			return nil, err
		}
		if v, err = st.keysOf(items, g, false); err != nil {
			return nil, err
		}
	}
	return st.join(v, sep, false)
}

// join puts the items of v together. strict refuses items that are no strings.
func (st *state) join(v any, sep string, strict bool) (any, error) {
	items, err := st.items(v)
	if err != nil {
		return nil, err
	}
	var b []byte
	for i, item := range items {
		if item, err = force(item); err != nil {
			return nil, err
		}
		if _, ok := item.(string); strict && !ok {
			return nil, fail("item %d is %s, not a string", i, kindOf(item))
		}
		if i > 0 {
			b = append(b, sep...)
		}
		if b, err = st.appendText(b, item); err != nil {
			return nil, err
		}
		if err := st.room(len(b)); err != nil {
			return nil, err
		}
	}
	return string(b), st.charge(len(b))
}

func end(at int64) filter {
	return func(st *state, v any, a arguments) (any, error) {
		if _, err := a.bind(); err != nil {
			return nil, err
		}
		items, err := st.items(v)
		if err != nil {
			return nil, err
		}
		if i, ok := index(at, len(items)); ok {
			return items[i], nil
		}
		return &undefined{"an item of an empty list"}, nil
	}
}

func filterSum(st *state, v any, a arguments) (any, error) {
	p, err := a.bind("attribute", "start")
	if err != nil {
		return nil, err
	}
	_, values, err := st.keyed(v, p.or(0, nil), absent{}, false)
	if err != nil {
		return nil, err
	}
	sum := p.or(1, int64(0))
	if _, isString := sum.(string); isString {
		return nil, fail("strings are put together by join")
	}
	for _, value := range values {
		if sum, err = st.operate("+", sum, value); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

func filterReverse(st *state, v any, a arguments) (any, error) {
	if _, err := a.bind(); err != nil {
		return nil, err
	}
	items, err := st.items(v)
	if err != nil {
		return nil, err
	}
	items = slices.Clone(items)
	slices.Reverse(items)
	if _, ok := v.(string); ok {
		return st.join(items, "", true)
	}
	return &view{items: items}, nil
}

func filterBatch(st *state, v any, a arguments) (any, error) {
	size, fill, items, err := st.portions(v, a, "linecount")
	if err != nil {
		return nil, err
	}
	var batches []any
	for portion := range slices.Chunk(items, size) {
		batch := slices.Clone(portion)
		if missing := size - len(batch); fill != nil && missing > 0 {
			if err := st.charge(product(bytesPerItem, missing)); err != nil {
				return nil, err
			}
			batch = append(batch, slices.Repeat([]any{fill}, missing)...)
		}
		batches = append(batches, newList(batch))
	}
	return &view{items: batches}, nil
}

func filterSlice(st *state, v any, a arguments) (any, error) {
	count, fill, items, err := st.portions(v, a, "slices")
	if err != nil {
		return nil, err
	}
	if err := st.charge(product(4*bytesPerItem, count)); err != nil {
		return nil, err
	}
	each, extra := len(items)/count, len(items)%count
	var slicesOf []any
	for i := range count {
		n := each
		if i < extra {
			n++
		}
		portion := slices.Clone(items[:n])
		if fill != nil && i >= extra {
			portion = append(portion, fill)
		}
		slicesOf = append(slicesOf, newList(portion))
		items = items[n:]
	}
	return &view{items: slicesOf}, nil
}

// portions reads what batch and slice have in common.
func (st *state) portions(v any, a arguments, name string) (n int, fill any, items []any, err error) {
	p, err := a.bind(name, "fill_with")
	if err != nil {
		return 0, nil, nil, err
	}
	if err = p.need(0); err != nil {
		return 0, nil, nil, err
	}
	if n, err = p.integer(0, 0); err != nil {
		return 0, nil, nil, err
	}
	if n < 1 {
		return 0, nil, nil, fail("%s must be at least 1", name)
	}
	items, err = st.items(v)
	return n, p.or(1, nil), items, err
}
