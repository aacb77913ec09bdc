import { SegmentedControl } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { checkFilterIn, surroundingsOfRules } from '#domain/query/check-filter.ts'
import type { Filter } from '#domain/query/filter.ts'
import { parseFilter } from '#domain/query/parse-filter.ts'
import { printFilter } from '#domain/query/print-filter.ts'
import type { QueryContext, QueryFault } from '#domain/query/query-context.ts'
import { comparisonsOf, filterByName } from '#domain/query/saved-filter.ts'
import type { Field } from '#domain/fields/field.ts'
import type { KnownCollection } from '../known-field.ts'
import { newCondition } from './condition-draft.ts'
import { ConditionGroup, type TreeEdits } from './condition-group.tsx'
import { type ConditionSetting, ConditionSettingProvider, type OwnNote } from './condition-setting.ts'
import { ConditionText } from './condition-text.tsx'
import {
  filterOfGroup,
  type GroupDraft,
  groupDraft,
  isComplete,
  withAdded,
  withJoin,
  withPart,
} from './condition-tree.ts'
import { definitionOf, type FindCollection, pathGroups } from './path-fields.ts'
import './conditions.css'

/** What the builder is told. */
export type ConditionBuilderProps = {
  /** What the condition is for: the name of the whole, to people who do not see it. */
  readonly label: string
  readonly collection: KnownCollection
  /** Where relations lead. */
  readonly findCollection: FindCollection
  /** By names or ids; null says nothing. */
  readonly value: Filter | null
  /** The condition by names. Only one that `isComplete` may be saved: it might mean more records than it shall. */
  readonly onChange: (value: Filter | null, isComplete: boolean) => void
  /** What `@me` is called here; left out where a condition means the same whoever reads it. */
  readonly me?: string
  /** What is noted about people, for `@me.<name>`. */
  readonly ownNotes?: readonly OwnNote[]
  /** Said while there is no condition. */
  readonly emptyText?: string
  /** The word before the first line. */
  readonly lead?: string
  /** Where something must be said, the first line stands there already. */
  readonly needsOne?: boolean
}

type Form = 'lines' | 'text'

const NO_NOTES: readonly OwnNote[] = []

/** Builds one condition, drawn as lines in groups or typed as text; both are the same tree. */
export function ConditionBuilder(props: ConditionBuilderProps) {
  const { label, collection, findCollection, onChange, me, ownNotes = NO_NOTES, emptyText, lead = 'Where' } = props
  const context = useMemo(
    () => contextFor(collection, findCollection, ownNotes),
    [collection, findCollection, ownNotes],
  )
  const faultIn = (text: string): QueryFault | undefined => {
    const checked = checkFilterIn(surroundingsOfRules(context), text)
    return checked.ok ? undefined : checked.fault
  }
  const value = props.value === null ? null : filterByName(props.value, context)
  const groups = useMemo(() => pathGroups(collection, findCollection), [collection, findCollection])
  const tree = useTree(value, onChange, props.needsOne ? firstField(groups) : undefined)
  const setting = useMemo<ConditionSetting>(
    () => ({ me: me ?? null, ownNotes, countsAtOnce: true, lead }),
    [me, ownNotes, lead],
  )
  const [chosen, setChosen] = useState<Form>('lines')
  const form = tree.draft === undefined ? 'text' : chosen

  const type = (text: string) => {
    const fault = faultIn(text)
    const parsed = parseFilter(text)
    if (fault || !parsed.ok) tree.hold(value, false)
    else tree.hold(comparisonsOf(parsed.value.filter).length === 0 ? null : parsed.value.filter, true)
  }
  return (
    <div className="condition-builder" role="group" aria-label={label}>
      <SegmentedControl
        className="condition-form"
        size="xs"
        aria-label={`How ${label} is shown`}
        value={form}
        onChange={(next) => {
          setChosen(next)
          tree.settle()
        }}
        data={[
          { value: 'lines', label: 'Conditions', disabled: tree.draft === undefined },
          { value: 'text', label: 'Text' },
        ]}
      />
      {form === 'text' || tree.draft === undefined ? (
        <ConditionText
          label={label}
          text={value === null ? '' : printFilter(value)}
          faultIn={faultIn}
          onChange={type}
        />
      ) : (
        <ConditionSettingProvider value={setting}>
          {tree.draft.parts.length === 0 && emptyText !== undefined && <p className="condition-hint">{emptyText}</p>}
          <TreeLines draft={tree.draft} groups={groups} change={tree.change} newKey={tree.newKey} />
        </ConditionSettingProvider>
      )}
    </div>
  )
}

type TreeLinesProps = {
  readonly draft: GroupDraft
  readonly groups: ReturnType<typeof pathGroups>
  readonly change: (draft: GroupDraft) => void
  readonly newKey: () => number
}

function TreeLines({ draft, groups, change, newKey }: TreeLinesProps) {
  const [newest, setNewest] = useState<number>()
  const place = useRef<HTMLDivElement>(null)
  const [isLosing, setLosing] = useState(false)
  useEffect(() => {
    // What had the focus is gone: whoever works without a mouse goes on at the end.
    if (isLosing) place.current?.querySelector<HTMLElement>(`[data-adds-to="${draft.key}"]`)?.focus()
    setLosing(false)
  }, [isLosing, draft.key])

  const first = firstField(groups)
  const line = () => (first ? newCondition(newKey(), first) : undefined)
  const edits: TreeEdits = {
    put: (part) => change(withPart(draft, part.key, part)),
    remove: (key) => {
      change(withPart(draft, key, undefined))
      setLosing(true)
    },
    addLine: (group) => {
      const added = line()
      if (added === undefined) return
      setNewest(added.key)
      change(withAdded(draft, group, added))
    },
    addGroup: (group) => {
      const added = line()
      if (added === undefined) return
      setNewest(added.key)
      // Whoever nests means the other word: conditions of one word need no group.
      change(withAdded(draft, group, { key: newKey(), join: 'any', parts: [added] }))
    },
    join: (group, join) => change(withJoin(draft, group, join)),
  }
  return (
    <div ref={place}>
      <ConditionGroup group={draft} groups={groups} depth={0} edits={edits} newest={newest} />
    </div>
  )
}

const firstField = (groups: ReturnType<typeof pathGroups>): Field | undefined => groups[0]?.fields[0]

/** The tree as it is drawn, with the lines that are not complete yet. */
function useTree(value: Filter | null, onChange: ConditionBuilderProps['onChange'], wanted: Field | undefined) {
  const keys = useRef(0)
  const newKey = () => {
    keys.current += 1
    return keys.current
  }
  const text = JSON.stringify(value)
  const [held, setHeld] = useState(() => {
    const draft = groupDraft(value, newKey)
    const first = wanted && value === null ? newCondition(newKey(), wanted) : undefined
    return { text, draft: draft && first ? { ...draft, parts: [first] } : draft }
  })
  // Our own change comes back as it went; any other was made by somebody else.
  if (held.text !== text) setHeld({ text, draft: groupDraft(value, newKey) })

  const change = (draft: GroupDraft) => {
    const filter = filterOfGroup(draft)
    setHeld({ text: JSON.stringify(filter), draft })
    onChange(filter, isComplete(draft))
  }
  /** Leaves out what is not complete: the other form shows what was said, and no more. */
  const settle = () => {
    setHeld({ text, draft: groupDraft(value, newKey) })
    onChange(value, true)
  }
  return { draft: held.draft, change, hold: onChange, settle, newKey }
}

/** Conditions are judged as the workspace's own: they mean what they say, whoever reads. */
function contextFor(collection: KnownCollection, find: FindCollection, ownNotes: readonly OwnNote[]): QueryContext {
  return {
    collection: definitionOf(collection),
    collectionOf: (id) => {
      const there = find(id)
      return there && definitionOf(there)
    },
    decisionFor: () => ({ allowed: true, hiddenFields: new Set() }),
    now: new Date(),
    timeZone: 'UTC',
    actorId: null,
    ...(ownNotes.length > 0 && { profile: Object.fromEntries(ownNotes.map(({ name }) => [name, []])) }),
  }
}
