import { t } from '#web/i18n/t.ts'
import {
  copyOfPart,
  filterOfGroup,
  findPart,
  type GroupDraft,
  groupDraft,
  isComplete,
  type Join,
  type MoveBy,
  moveCondition,
  newCondition,
  type PartDraft,
  rowsOf,
  withAdded,
  withJoin,
  withPart,
  withPartAfter,
} from '#web/shared/conditions/model/condition-tree.ts'
import type { PathGroup } from '#web/shared/conditions/path-fields.ts'
import { useRef, useState } from 'react'
import type { Filter } from '#domain/query/filter/filter.ts'
import type { Field } from '#domain/fields/field.ts'
import { useConditionOptions } from '#web/shared/conditions/condition-options.ts'

export type TreeEdits = {
  readonly put: (part: PartDraft) => void
  readonly remove: (key: number) => void
  readonly addLine: (group: number) => void
  readonly addGroup: (group: number) => void
  readonly join: (group: number, join: Join) => void
  readonly duplicate: (key: number) => void
  /** Moves a line or group up or down, into and out of groups. */
  readonly move: (key: number, by: MoveBy) => void
  readonly canMove: (key: number, by: MoveBy) => boolean
}

export type TreeFocus = {
  /** Focuses a control of a line or group: `field`, `operator`, `value`, `more` or `remove`. */
  readonly on: (key: number, control: string) => void
  readonly onAdding: (group: number) => void
  readonly controlNow: () => string | undefined
}

type Editing = {
  readonly draft: GroupDraft
  readonly change: (draft: GroupDraft) => void
  readonly newKey: () => number
  readonly groups: readonly PathGroup[]
  readonly isOfGrant: boolean
  readonly focus: TreeFocus
  readonly say: (text: string) => void
}

export function treeEdits({ draft, change, newKey, groups, isOfGrant, focus, say }: Editing): TreeEdits {
  const line = () => {
    const first = groups.flatMap(({ fields }) => fields)[0]
    return first ? newCondition(newKey(), first, isOfGrant) : undefined
  }
  const add = (group: number, part: (first: PartDraft) => PartDraft) => {
    const added = line()
    if (added === undefined) return
    focus.on(added.key, 'field')
    change(withAdded(draft, group, part(added)))
  }
  return {
    put: (part) => change(withPart(draft, part.key, part)),
    remove: (key) => {
      // The focused element is removed, so focus moves to the root group's add button.
      focus.onAdding(draft.key)
      say(t('Removed'))
      change(withPart(draft, key, undefined))
    },
    addLine: (group) => add(group, (first) => first),
    // A new nested group uses the other conjunction.
    addGroup: (group) => add(group, (first) => ({ key: newKey(), join: 'any', parts: [first] })),
    join: (group, join) => change(withJoin(draft, group, join)),
    duplicate: (key) => {
      const part = findPart(draft, key)
      if (!part) return
      const copy = copyOfPart(part, newKey)
      focus.on(copy.key, 'operator')
      say(t('Duplicated'))
      change(withPartAfter(draft, key, copy))
    },
    move: (key, by) => {
      const moved = moveCondition(draft, key, by)
      if (moved === draft) return
      // Avoids focusing the field input, which would open its list.
      const control = focus.controlNow() ?? 'more'
      focus.on(key, control === 'field' ? 'more' : control)
      say(placeWords(moved, key))
      change(moved)
    },
    canMove: (key, by) => moveCondition(draft, key, by) !== draft,
  }
}

function placeWords(root: GroupDraft, key: number): string {
  const keys = rowsOf(root).map((line) => line.key)
  const part = findPart(root, key)
  const first = part && 'parts' in part ? rowsOf(part)[0]?.key : key
  return t('Moved to position {indexOf} of {keysCount}', {
    indexOf: keys.indexOf(first ?? key) + 1,
    keysCount: keys.length,
  })
}

/** Called after every change; `isComplete` is false while a value is missing. */
export type OnCondition = (value: Filter | null, isComplete: boolean) => void

type TreeState = {
  /** The last value received from the parent. */
  readonly seen: string
  /** Reported values that haven't come back as props yet. */
  readonly reported: readonly string[]
  readonly draft: GroupDraft
}

/** `wanted`: the field of the first line in an empty tree. */
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
    // Without a value, because the parent doesn't know this condition yet.
    const first =
      wanted && value === null ? [{ ...newCondition(newKey(), wanted, isOfGrant), values: [] }] : draft.parts
    return { seen: text, reported: [], draft: { ...draft, parts: first } }
  })
  if (held.seen !== text) {
    const at = held.reported.indexOf(text)
    // Reported values come back in order; any other value is an external change.
    setHeld(
      at < 0
        ? { seen: text, reported: [], draft: drawn() }
        : { seen: text, reported: held.reported.slice(at + 1), draft: held.draft },
    )
  }

  const change = (draft: GroupDraft) => {
    const filter = filterOfGroup(draft)
    const next = JSON.stringify(filter)
    const isNew = next !== (held.reported.at(-1) ?? held.seen)
    setHeld({ ...held, reported: isNew ? [...held.reported, next] : held.reported, draft })
    onChange(filter, isComplete(draft))
  }
  return { draft: held.draft, change, newKey }
}
