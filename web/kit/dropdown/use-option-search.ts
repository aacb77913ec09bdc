import { useEffect, useState } from 'react'
import { KIT_TEXTS } from '../kit-texts.ts'
import type { DropdownOption } from './option.tsx'

/** Asks for the options that fit a text; must stop when the signal says so. */
export type OptionSearch = (text: string, signal: AbortSignal) => Promise<readonly DropdownOption[]>

/** What a search has come to. */
export type OptionSearchState =
  | { readonly status: 'searching'; readonly options: readonly DropdownOption[] }
  | { readonly status: 'found'; readonly options: readonly DropdownOption[] }
  | { readonly status: 'failed'; readonly options: readonly [] }

/** What stands in place of options where a search has none. */
export function noOptionsText(status: OptionSearchState['status']): string {
  if (status === 'searching') return KIT_TEXTS.dropdown.loading
  return status === 'failed' ? KIT_TEXTS.dropdown.failed : KIT_TEXTS.nothingFound
}

/** Wait after the last keystroke before the server is asked: long enough for a word, too short to be noticed. */
const SEARCH_DELAY_MS = 200

/**
 * Asks while the list is open: at once for the empty text, else 200 ms after the last keystroke. Whatever was asked
 * before is called off, so that a late answer never replaces a newer one.
 */
export function useOptionSearch(search: OptionSearch, text: string, isOpen: boolean): OptionSearchState {
  const [state, setState] = useState<OptionSearchState>({ status: 'searching', options: [] })

  useEffect(() => {
    if (!isOpen) return
    const asking = new AbortController()
    const { signal } = asking

    const ask = () => {
      search(text, signal).then(
        (options) => {
          if (!signal.aborted) setState({ status: 'found', options })
        },
        () => {
          if (!signal.aborted) setState({ status: 'failed', options: [] })
        },
      )
    }

    // What was found last stays in sight until the next answer, so that the list does not flicker.
    setState((before) => ({ status: 'searching', options: before.options }))
    const timer = setTimeout(ask, text === '' ? 0 : SEARCH_DELAY_MS)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [search, text, isOpen])

  return state
}
