import { ActionIcon, Button, NativeSelect } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { Dropdown } from '#web/kit/dropdown/dropdown.tsx'
import { IconPlus } from '#web/kit/icons/icon-plus.ts'
import { IconX } from '#web/kit/icons/icon-x.ts'
import { type ConditionDraft, conditionOf, draftOf, newCondition } from '#web/fields/conditions/condition-draft.ts'
import { OperatorAndValue } from '#web/fields/conditions/operator-and-value.tsx'
import { flatFilter, type Join, printFlat, treeOf } from './filter-tree.ts'
import './filters.css'

type FilterBuilderProps = {
  /** What can be filtered by. */
  readonly fields: readonly Field[]
  /** The filter as it stands in the address. */
  readonly text: string
  readonly onChange: (text: string) => void
}

type Lines = { readonly join: Join; readonly drafts: readonly ConditionDraft[] }

/** A filter drawn as lines of field, operator and value. What is complete counts at once; what is not waits. */
export function FilterBuilder({ fields, text, onChange }: FilterBuilderProps) {
  const { lines, change, nextKey } = useLines(text, onChange)
  const [first] = fields
  if (lines === undefined || first === undefined) {
    return <p className="filter-hint">This filter has groups within groups, which only the text can show.</p>
  }
  const { join, drafts } = lines
  const put = (draft: ConditionDraft) =>
    change({ join, drafts: drafts.map((each) => (each.key === draft.key ? draft : each)) })

  return (
    <div className="filter-builder">
      {drafts.length === 0 && <p className="filter-hint">Every record is shown. Add a condition to narrow the list.</p>}
      {drafts.map((draft, at) => (
        <ConditionLine
          key={draft.key}
          fields={fields}
          draft={draft}
          lead={<Lead at={at} join={join} onJoin={(next) => change({ join: next, drafts })} />}
          onChange={put}
          onRemove={() => change({ join, drafts: drafts.filter((each) => each !== draft) })}
        />
      ))}
      <Button
        size="xs"
        variant="subtle"
        className="filter-add"
        leftSection={<IconPlus size={14} stroke={1.75} />}
        onClick={() => change({ join, drafts: [...drafts, newCondition(nextKey(), first)] })}
      >
        Add condition
      </Button>
    </div>
  )
}

/** The lines, as the address has them with those that are not complete yet. */
function useLines(text: string, onChange: (text: string) => void) {
  const keys = useRef(0)
  const nextKey = () => {
    keys.current += 1
    return keys.current
  }
  const linesOf = (from: string): Lines | undefined => {
    const tree = treeOf(from)
    const flat = tree && flatFilter(tree)
    return flat && { join: flat.join, drafts: flat.conditions.map((condition) => draftOf(condition, nextKey())) }
  }
  const [held, setHeld] = useState(() => ({ seen: text, applied: text, lines: linesOf(text) }))
  // Our own change comes back late. Any other was made by somebody else, such as the input below a column.
  if (held.seen !== text) setHeld({ ...held, seen: text, lines: text === held.applied ? held.lines : linesOf(text) })

  const change = (lines: Lines) => {
    const next = printFlat({ join: lines.join, conditions: lines.drafts.flatMap((draft) => conditionOf(draft) ?? []) })
    setHeld({ ...held, applied: next, lines })
    if (next !== text) onChange(next)
  }
  return { lines: held.lines, change, nextKey }
}

type LeadProps = { readonly at: number; readonly join: Join; readonly onJoin: (join: Join) => void }

/** The word before a line: all lines are joined by the same, which the second one chooses. */
function Lead({ at, join, onJoin }: LeadProps) {
  if (at === 0) return <span className="condition-lead">Where</span>
  if (at > 1) return <span className="condition-lead">{join === 'all' ? 'and' : 'or'}</span>
  return (
    <NativeSelect
      size="xs"
      aria-label="How the conditions are joined"
      value={join}
      data={[
        { value: 'all', label: 'and' },
        { value: 'any', label: 'or' },
      ]}
      onChange={({ currentTarget }) => onJoin(currentTarget.value === 'any' ? 'any' : 'all')}
    />
  )
}

type ConditionLineProps = {
  readonly fields: readonly Field[]
  readonly draft: ConditionDraft
  readonly lead: ReactNode
  readonly onChange: (draft: ConditionDraft) => void
  readonly onRemove: () => void
}

function ConditionLine({ fields, draft, lead, onChange, onRemove }: ConditionLineProps) {
  const field = fields.find(({ name, id }) => name === draft.field || id === draft.field)
  const options = fields.map(({ name, label }) => ({ value: name, label }))
  const choose = (name: string | null) => {
    const next = fields.find((each) => each.name === name)
    if (next) onChange(newCondition(draft.key, next))
  }
  return (
    <div className="condition-line" role="group" aria-label={`Condition on ${field?.label ?? draft.field}`}>
      {lead}
      <Dropdown
        size="xs"
        ariaLabel="Field"
        required
        options={options}
        value={field?.name ?? null}
        onChange={choose}
        placeholder={draft.field}
      />
      {field ? (
        <OperatorAndValue field={field} draft={draft} onChange={onChange} />
      ) : (
        <span className="filter-hint">Shown by the text only</span>
      )}
      <ActionIcon size="sm" aria-label={`Remove the condition on ${field?.label ?? draft.field}`} onClick={onRemove}>
        <IconX size={14} stroke={1.75} />
      </ActionIcon>
    </div>
  )
}
