import { createContext, type ReactNode, use } from 'react'

/**
 * The list's filter text, stored in the URL. Changes are passed as updater functions, because the URL lags behind rapid
 * changes.
 */
export type ListFilter = { readonly text: string; readonly onChange: (next: (text: string) => string) => void }

const FilterContext = createContext<ListFilter>({ text: '', onChange: () => {} })

/** Uses context, so that columns aren't recreated when the filter changes. */
export function FilterProvider({ filter, children }: { readonly filter: ListFilter; readonly children: ReactNode }) {
  return <FilterContext value={filter}>{children}</FilterContext>
}

export const useListFilter = (): ListFilter => use(FilterContext)
