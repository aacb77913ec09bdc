import { type RefObject, useMemo, useState } from 'react'
import { applyCompletion, completeFilter, type CompletionContext, type CompletionOption } from './completion.ts'
import { useQuery } from '@tanstack/react-query'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { peopleQuery } from '#web/shared/lookups/search-options.ts'
import { comparesIn, filterContext, useConditionOptions } from '#web/shared/conditions/condition-options.ts'
import { type FindCollection, pathGroups } from '#web/shared/conditions/path-fields.ts'

export type CompletionState = {
  readonly options: readonly CompletionOption[]
  /** Includes suggestions that aren't shown. */
  readonly total: number
  readonly isOpen: boolean
  /** Index of the active suggestion; -1 if there is none. */
  readonly active: number
  readonly step: (by: 1 | -1) => void
  readonly take: (option: CompletionOption) => void
  readonly open: () => void
  readonly close: () => void
  /** Call after the caret or text may have changed. */
  readonly follow: () => void
}

type CompletionInput = {
  readonly input: RefObject<HTMLInputElement | null>
  readonly text: string
  readonly onType: (text: string) => void
  readonly world: CompletionContext
  /** Whether the text is a valid filter; if so, Enter accepts only an explicitly selected suggestion. */
  readonly isFilter: boolean
}

const NOTHING: readonly CompletionOption[] = []

export function useCompletion({ input, text, onType, world, isFilter }: CompletionInput): CompletionState {
  const [caret, setCaret] = useState<number>()
  const [isClosed, setClosed] = useState(false)
  /** The suggestion selected with the arrow keys; reset when the list changes. */
  const [walked, setWalked] = useState<{ readonly of: string; readonly at: number }>()
  const completion = useMemo(
    () => (caret === undefined ? undefined : completeFilter(text, Math.min(caret, text.length), world)),
    [text, caret, world],
  )
  const options = completion?.options ?? NOTHING
  const isOpen = !isClosed && options.length > 0
  const offered = `${text} ${caret}`
  const first = completion?.isBegun && !isFilter ? 0 : -1
  const active = !isOpen ? -1 : walked?.of === offered ? walked.at : first

  const put = (next: { readonly text: string; readonly caret: number }) => {
    const { current } = input
    if (current) {
      // Set directly, because updating the value through React would move the caret.
      current.value = next.text
      current.setSelectionRange(next.caret, next.caret)
      current.scrollLeft = current.scrollWidth
    }
    setCaret(next.caret)
    setClosed(false)
    onType(next.text)
  }
  return {
    options,
    total: completion?.total ?? 0,
    isOpen,
    active,
    step: (by) => {
      const count = options.length
      const at = active < 0 ? (by > 0 ? 0 : count - 1) : (active + by + count) % count
      setWalked({ of: offered, at })
    },
    take: (option) => completion && put(applyCompletion(text, completion, option)),
    open: () => setClosed(false),
    close: () => setClosed(true),
    follow: () => {
      const { selectionStart, selectionEnd } = input.current ?? {}
      // Selected text is about to be replaced or copied, so nothing is suggested.
      const place = selectionStart === selectionEnd ? (selectionStart ?? undefined) : undefined
      if (place !== caret) setClosed(false)
      setCaret(place)
    },
  }
}

const two = (number: number): string => String(number).padStart(2, '0')

function todayHere(): string {
  const now = new Date()
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

export function useCompletionContext(collection: TypedCollection, findCollection: FindCollection): CompletionContext {
  const { data: people } = useQuery(peopleQuery)
  const { me, ownNotes, isOfGrant } = useConditionOptions()
  return useMemo(() => {
    const [own, ofEvery] = pathGroups(collection, findCollection)
    return {
      fields: [...(own?.fields ?? []), ...(ofEvery?.fields ?? [])],
      fieldsBehind: (path) => {
        const groups = path === '' ? [] : pathGroups(collection, findCollection, [path])
        const begins = `${path}.`
        const fields = groups.flatMap((group) => group.fields)
        return fields.filter(({ name }) => name.startsWith(begins) && !name.slice(begins.length).includes('.'))
      },
      people: people ?? [],
      me,
      ownNotes,
      isOfGrant,
      compares: comparesIn(filterContext(collection, findCollection, []), isOfGrant),
      today: todayHere(),
    }
  }, [collection, findCollection, people, me, ownNotes, isOfGrant])
}
