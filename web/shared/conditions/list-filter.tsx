import { createContext, type ReactNode, use } from 'react'

/**
 * The filter of a list: its text as it stands in the address, and the way to change it. Two inputs may be applied before
 * the address has followed the first, so each says how the filter follows from the one asked for last.
 */
export type ListFilter = { readonly text: string; readonly onChange: (next: (text: string) => string) => void }

const FilterContext = createContext<ListFilter>({ text: '', onChange: () => {} })

/** Gives the inputs below the columns their filter, so that the columns themselves stay the same when it changes. */
export function FilterProvider({ filter, children }: { readonly filter: ListFilter; readonly children: ReactNode }) {
  return <FilterContext value={filter}>{children}</FilterContext>
}

/** The filter of the list around. */
export const useListFilter = (): ListFilter => use(FilterContext)
