import { type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Filter } from '#domain/query/filter/filter.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { ConditionGroup } from './condition-group.tsx'
import { comparableFields, filterContext, useConditionOptions } from '#web/shared/conditions/condition-options.ts'
import { type GroupDraft, type MoveBy, rowsOf } from '#web/shared/conditions/model/condition-tree.ts'
import { type FindCollection, pathGroups } from '#web/shared/conditions/path-fields.ts'
import { type OnCondition, type TreeEdits, treeEdits, type TreeFocus, useConditionTree } from './tree-edits.ts'
import './conditions.css'

type ConditionRowsProps = {
  readonly collection: TypedCollection
  readonly findCollection: FindCollection
  readonly value: Filter | null
  readonly onChange: OnCondition
  readonly emptyText?: string | undefined
  readonly needsOne?: boolean | undefined
}

export function ConditionRows(props: ConditionRowsProps) {
  const { collection, findCollection, value, onChange, emptyText, needsOne = false } = props
  const [first] = collection.fields
  const { isOfGrant } = useConditionOptions()
  const { draft, change, newKey } = useConditionTree(value, onChange, needsOne ? first : undefined)
  const paths = JSON.stringify([...new Set(rowsOf(draft).flatMap(({ field, other }) => [field, other ?? field]))])
  const groups = useMemo(
    // `paths` is a JSON string, so that the memo compares it by value.
    () => pathGroups(collection, findCollection, JSON.parse(paths) as readonly string[]),
    [collection, findCollection, paths],
  )
  const comparable = useMemo(
    () => comparableFields(groups, filterContext(collection, findCollection, []), isOfGrant),
    [groups, collection, findCollection, isOfGrant],
  )
  const focus = useFocusAfter(draft)
  const [said, say] = useState('')
  const edits = treeEdits({ draft, change, newKey, groups, isOfGrant, focus, say })
  return (
    <div ref={focus.place} onKeyDownCapture={(event) => pressKey(event, edits)}>
      {draft.parts.length === 0 && emptyText !== undefined && <p className="condition-hint">{emptyText}</p>}
      <ConditionGroup group={draft} groups={groups} comparable={comparable} depth={0} edits={edits} />
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </div>
  )
}

const FOCUSABLE = 'input:not([type="hidden"]), select, button'

/** Focuses an element after the tree has been rendered. */
function useFocusAfter(draft: GroupDraft): TreeFocus & { readonly place: RefObject<HTMLDivElement | null> } {
  const place = useRef<HTMLDivElement>(null)
  const wanted = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (wanted.current === undefined) return
    const found = place.current?.querySelector<HTMLElement>(wanted.current)
    wanted.current = undefined
    const control = found?.matches(FOCUSABLE) ? found : found?.querySelector<HTMLElement>(FOCUSABLE)
    control?.focus()
    control?.scrollIntoView({ block: 'nearest' })
  }, [draft])
  return {
    place,
    on: (key, control) => {
      wanted.current = `[data-part="${key}"] [data-control="${control}"]`
    },
    onAdding: (group) => {
      wanted.current = `[data-adds-to="${group}"]`
    },
    controlNow: () => document.activeElement?.closest<HTMLElement>('[data-control]')?.dataset['control'],
  }
}

const MOVES: Readonly<Record<string, MoveBy>> = { ArrowUp: -1, ArrowDown: 1 }

/** Ctrl+Shift with an arrow key moves a line or group; Ctrl+Shift+D duplicates it. */
function pressKey(event: KeyboardEvent<HTMLElement>, edits: TreeEdits): void {
  if (!(event.ctrlKey || event.metaKey) || !event.shiftKey || !(event.target instanceof Element)) return
  const key = Number(event.target.closest<HTMLElement>('[data-part]')?.dataset['part'] ?? Number.NaN)
  const by = MOVES[event.key]
  if (Number.isNaN(key) || (by === undefined && event.key.toLowerCase() !== 'd')) return
  event.preventDefault()
  event.stopPropagation()
  if (by === undefined) edits.duplicate(key)
  else edits.move(key, by)
}
