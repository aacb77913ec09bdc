import { type RefObject, useMemo, useState } from 'react'
import { applyCompletion, completeFilter, type CompletionContext, type CompletionOption } from './completion.ts'
import { useQuery } from '@tanstack/react-query'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { peopleQuery } from '#web/shared/lookups/people-query.ts'
import { comparesIn, filterContext, useConditionOptions } from '#web/shared/conditions/condition-options.ts'
import { type FindCollection, pathGroups } from '#web/shared/conditions/path-fields.ts'

/** What is offered at the caret of a text, and the way to take it. */
export type CompletionState = {
  readonly options: readonly CompletionOption[]
  readonly isOpen: boolean
  /** The option the arrows are on; -1 for none. */
  readonly active: number
  readonly step: (by: 1 | -1) => void
  readonly take: (option: CompletionOption) => void
  readonly open: () => void
  readonly close: () => void
  /** The caret may stand elsewhere, or the text may be another. */
  readonly follow: () => void
}

type CompletionInput = {
  readonly input: RefObject<HTMLInputElement | null>
  readonly text: string
  readonly onType: (text: string) => void
  readonly world: CompletionContext
  /** Whether the text means something as it stands: then nothing is taken by Enter that was not chosen. */
  readonly isFilter: boolean
}

const NOTHING: readonly CompletionOption[] = []

/** The completion of a text that is being written. */
export function useCompletion({ input, text, onType, world, isFilter }: CompletionInput): CompletionState {
  const [caret, setCaret] = useState<number>()
  const [isClosed, setClosed] = useState(false)
  /** The option that was walked to, as long as the same ones are offered. */
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
      // The browser keeps the caret where the text is changed, and not where React would put it.
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
      // Where several letters are marked, they are to be replaced or copied.
      const place = selectionStart === selectionEnd ? (selectionStart ?? undefined) : undefined
      if (place !== caret) setClosed(false)
      setCaret(place)
    },
  }
}

const two = (number: number): string => String(number).padStart(2, '0')

/** The day it is where the reader is. */
function todayHere(): string {
  const now = new Date()
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

/** What a filter of a collection can name, for whoever writes it. */
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
