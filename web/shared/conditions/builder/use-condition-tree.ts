import { useRef, useState } from 'react'
import type { Filter } from '#domain/query/filter.ts'
import type { Field } from '#domain/fields/field.ts'
import { newCondition } from '#web/shared/conditions/model/condition-draft.ts'
import { useConditionOptions } from './condition-provider.ts'
import { filterOfGroup, type GroupDraft, groupDraft, isComplete } from '#web/shared/conditions/model/condition-tree.ts'

/** Told of every change: the condition that is said so far, and whether nothing in it is left open. */
export type OnCondition = (value: Filter | null, isComplete: boolean) => void

type TreeState = {
  /** The condition as it was given last. */
  readonly seen: string
  /** What was told since and has not come back yet. */
  readonly told: readonly string[]
  readonly draft: GroupDraft
}

/** The tree as it is drawn, with the lines that are not complete yet. `wanted` stands in an empty one to begin with. */
export function useConditionTree(value: Filter | null, onChange: OnCondition, wanted: Field | undefined) {
  const { isOfGrant } = useConditionOptions()
  const keys = useRef(0)
  const newKey = () => {
    keys.current += 1
    return keys.current
  }
  const drawn = (): GroupDraft => groupDraft(value, newKey) ?? { key: newKey(), join: 'all', parts: [] }
  const text = JSON.stringify(value)
  const [held, setHeld] = useState((): TreeState => {
    const draft = drawn()
    const first = wanted && value === null ? [newCondition(newKey(), wanted, isOfGrant)] : draft.parts
    return { seen: text, told: [], draft: { ...draft, parts: first } }
  })
  if (held.seen !== text) {
    const at = held.told.indexOf(text)
    // Our own changes come back one after the other; any other was made by somebody else.
    setHeld(
      at < 0
        ? { seen: text, told: [], draft: drawn() }
        : { seen: text, told: held.told.slice(at + 1), draft: held.draft },
    )
  }

  const change = (draft: GroupDraft) => {
    const filter = filterOfGroup(draft)
    const next = JSON.stringify(filter)
    const isNew = next !== (held.told.at(-1) ?? held.seen)
    setHeld({ ...held, told: isNew ? [...held.told, next] : held.told, draft })
    onChange(filter, isComplete(draft))
  }
  return { draft: held.draft, change, newKey }
}
