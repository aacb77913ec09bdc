import { CheckIcon } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { optionColors } from '#web/ui/theme/colors/colors.ts'
import './dropdown.css'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'

/** One thing that can be chosen. */
export type DropdownOption = {
  /** Unique within one dropdown; a second option with the same value is left out. */
  readonly value: string
  readonly label: string
  /** A second, quieter line. */
  readonly description?: string
  /** One of the twelve hues; draws a dot before the label. */
  readonly hue?: string
  readonly disabled?: boolean
}

/** Options under a heading. */
export type DropdownGroup = { readonly group: string; readonly options: readonly DropdownOption[] }

/** The dot that carries a choice's colour. */
export function HueDot({ hue }: { hue: string }) {
  return <span className="hue-dot" style={{ background: optionColors(hue).dot }} aria-hidden />
}

/** How one option looks in an open list. */
export function OptionRow({ option, checked }: { option: DropdownOption; checked: boolean }): ReactNode {
  return (
    <span className="option-row">
      {option.hue !== undefined && <HueDot hue={option.hue} />}
      {option.description ? (
        <span className="option-words">
          <span>{option.label}</span>
          <span className="option-description">{option.description}</span>
        </span>
      ) : (
        // A list draws a thousand of these: a plain one is as few elements as it can be.
        <span className="option-words">{option.label}</span>
      )}
      {checked && <CheckIcon size={10} className="option-check" />}
    </span>
  )
}

/** Asks for the options that fit a text; must stop when the signal says so. */
export type OptionSearch = (text: string, signal: AbortSignal) => Promise<FoundOptions>

/** The first options that fit, and how many fit in all. */
export type FoundOptions = {
  readonly options: readonly DropdownOption[]
  readonly total: number
  /** Whether there are more than `total`, and nobody counted how many. */
  readonly isTotalCapped?: boolean
}

/** Nothing fits. */
export const NO_OPTIONS: FoundOptions = { options: [], total: 0 }

/** What a search has come to. */
export type OptionSearchState = FoundOptions & { readonly status: 'searching' | 'found' | 'failed' }

/** Says that a list is cut, and what to do; undefined where every option that fits is shown. */
export function cutOptionsText({ total, isTotalCapped = false }: FoundOptions, shown: number): string | undefined {
  if (total <= shown && !isTotalCapped) return undefined
  return isTotalCapped ? UI_TEXTS.dropdown.firstOfMore(shown, total) : UI_TEXTS.dropdown.firstOf(shown, total)
}

/** What stands in place of options where a search has none. */
export function noOptionsText(status: OptionSearchState['status']): string {
  if (status === 'searching') return UI_TEXTS.dropdown.loading
  return status === 'failed' ? UI_TEXTS.dropdown.failed : UI_TEXTS.nothingFound
}

/** Wait after the last keystroke before the server is asked: long enough for a word, too short to be noticed. */
const SEARCH_DELAY_MS = 200

/**
 * Asks while the list is open: at once for the empty text, else 200 ms after the last keystroke. Whatever was asked
 * before is called off, so that a late answer never replaces a newer one.
 */
export function useOptionSearch(search: OptionSearch, text: string, isOpen: boolean): OptionSearchState {
  const [state, setState] = useState<OptionSearchState>({ status: 'searching', ...NO_OPTIONS })

  useEffect(() => {
    if (!isOpen) return
    const asking = new AbortController()
    const { signal } = asking

    const ask = () => {
      search(text, signal).then(
        (found) => {
          if (!signal.aborted) setState({ ...found, status: 'found' })
        },
        () => {
          if (!signal.aborted) setState({ ...NO_OPTIONS, status: 'failed' })
        },
      )
    }

    // What was found last stays in sight until the next answer, so that the list does not flicker.
    setState((before) => ({ ...before, status: 'searching' }))
    const timer = setTimeout(ask, text === '' ? 0 : SEARCH_DELAY_MS)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [search, text, isOpen])

  return state
}
