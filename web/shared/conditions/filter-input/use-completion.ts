import { type RefObject, useMemo, useState } from 'react'
import { applyCompletion, completeFilter, type CompletionContext, type CompletionOption } from './completion.ts'
import { useQuery } from '@tanstack/react-query'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { peopleQuery } from '#web/shared/lookups/search-options.ts'
import { comparesIn, filterContext, useConditionOptions } from '#web/shared/conditions/condition-options.ts'
import { type FindCollection, pathGroups } from '#web/shared/conditions/path-fields.ts'

export type CompletionState = {
  readonly options: readonly CompletionOption[]
  /** Including those that aren't shown. */
  readonly total: number
  readonly isOpen: boolean
  /** -1 for none. */
  readonly active: number
  readonly step: (by: 1 | -1) => void
  readonly take: (option: CompletionOption) => void
  readonly open: () => void
  readonly close: () => void
  /** The caret or text may have changed. */
  readonly follow: () => void
}

type CompletionInput = {
  readonly input: RefObject<HTMLInputElement | null>
  readonly text: string
  readonly onType: (text: string) => void
  readonly world: CompletionContext
  /** Whether the text is valid: then Enter accepts only an explicitly selected suggestion. */
  readonly isFilter: boolean
}

const NOTHING: readonly CompletionOption[] = []

export function useCompletion({ input, text, onType, world, isFilter }: CompletionInput): CompletionState {
  const [caret, setCaret] = useState<number>()
  const [isClosed, setClosed] = useState(false)
  /** The selected suggestion, as long as the list doesn't change. */
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
      // Preserves the caret, which React would otherwise move.
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
      // If text is selected, the user is about to replace or copy it.
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
