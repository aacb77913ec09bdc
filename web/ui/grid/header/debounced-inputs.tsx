import { CloseButton, TextInput } from '@mantine/core'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLatest } from '#web/ui/browser/use-latest.ts'
import { TABLE } from '#domain/specification.ts'
import { IconSearch } from '#web/ui/icons/start.ts'
import '../bars.css'
import { GRID_TEXTS_EN, type GridTexts } from '#web/ui/grid/grid-props.ts'
import type { FilterSlot } from '#web/ui/grid/columns/grid-column.ts'

/**
 * Applies input after the delay required by the specification. Each input has its own timer, so that quick changes to
 * two inputs both apply.
 */
export function createDebouncedApply(apply: (text: string) => void) {
  let pending: { text: string; timer: ReturnType<typeof setTimeout> } | undefined

  const cancel = () => {
    clearTimeout(pending?.timer)
    pending = undefined
  }
  /**
   * Applies the text immediately and cancels the delay: on Enter, on selecting an option, or when the input is cleared.
   */
  const now = (text: string) => {
    cancel()
    apply(text)
  }
  return {
    now,
    cancel,
    later: (text: string) => {
      cancel()
      pending = { text, timer: setTimeout(() => now(text), TABLE.filterDelayMs) }
    },
    flush: () => {
      if (pending) now(pending.text)
    },
  }
}

/** Keeps the typed text as long as `value` is the last applied text; any other value replaces it. */
export function useDebouncedText(value: string, onApply: (text: string) => void) {
  const [typed, setTyped] = useState(value)
  const latestApply = useLatest(onApply)
  const applied = useRef(value)
  const [debounced] = useState(() =>
    createDebouncedApply((text) => {
      if (text === applied.current) return
      applied.current = text
      latestApply.current(text)
    }),
  )
  useLayoutEffect(() => {
    // The last applied text may arrive as `value` after the user has typed more, so it must not replace the text.
    if (value === applied.current) return
    applied.current = value
    debounced.cancel()
    setTyped(value)
  }, [value, debounced])
  useEffect(() => () => debounced.flush(), [debounced])

  return {
    text: typed,
    onType: (text: string) => {
      setTyped(text)
      debounced.later(text)
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') debounced.now(typed)
    },
    applyNow: (text: string) => {
      setTyped(text)
      debounced.now(text)
    },
  }
}

export type SearchBoxProps = {
  readonly value: string
  readonly onSearch: (text: string) => void
  /** Moves to the next match on Enter, or to the previous match on Shift+Enter. */
  readonly onStep?: (step: 1 | -1, text: string) => void
  readonly texts?: GridTexts
}

/** Searches all columns after a pause in typing, or immediately on Enter; Escape clears the text. */
export function SearchBox({ value, onSearch, onStep, texts = GRID_TEXTS_EN }: SearchBoxProps) {
  const { text, onType, onKeyDown, applyNow } = useDebouncedText(value, onSearch)
  return (
    <TextInput
      type="search"
      role="searchbox"
      enterKeyHint="search"
      className="grid-search"
      aria-label={texts.search}
      placeholder={texts.search}
      value={text}
      leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
      rightSection={
        text !== '' && <CloseButton size="sm" aria-label={texts.clearSearch} onClick={() => applyNow('')} />
      }
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        onKeyDown(event)
        if (event.key === 'Enter' && text.trim() !== '') onStep?.(event.shiftKey ? -1 : 1, text)
        if (event.key === 'Escape' && text !== '') applyNow('')
      }}
    />
  )
}

type FilterTextProps = FilterSlot & {
  readonly value: string
  readonly onApply: (text: string) => void
  readonly placeholder?: string
  /** Returns the reason if the typed text is invalid; invalid text isn't applied. */
  readonly faultOf?: (text: string) => string | undefined
  readonly isDisabled?: boolean
}

/** A column's text filter, applied after a pause in typing or immediately on Enter. */
export function FilterText({
  label,
  tabIndex,
  value,
  onApply,
  placeholder,
  faultOf,
  isDisabled = false,
}: FilterTextProps) {
  const { text, onType, onKeyDown } = useDebouncedText(value, onApply)
  const fault = faultOf?.(text)
  return (
    <TextInput
      size="xs"
      aria-label={label}
      tabIndex={tabIndex}
      placeholder={placeholder}
      title={fault}
      error={fault !== undefined}
      disabled={isDisabled}
      value={text}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}
