// The orders in which the library can be seen.
import type { Query } from '../../api/request';

export interface Sort {
  value: string; // in the address
  label: string;
  query: Query; // to the API
}

const newest: Sort = { value: 'newest', label: 'Newest first', query: { sortBy: 'createdAt', sortOrder: 'desc' } };

export const sorts: Sort[] = [
  newest,
  { value: 'oldest', label: 'Oldest first', query: { sortBy: 'createdAt', sortOrder: 'asc' } },
  { value: 'changed', label: 'Changed last', query: { sortBy: 'updatedAt', sortOrder: 'desc' } },
  { value: 'title', label: 'By title', query: { sortBy: 'title', sortOrder: 'asc' } },
];

export const sortOf = (value: string | null): Sort => sorts.find((sort) => sort.value === value) ?? newest;
