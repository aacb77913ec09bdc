import { ActionIcon } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { Dropdown } from '#web/kit/dropdown/dropdown.tsx'
import { IconX } from '#web/kit/icons/icon-x.ts'
import { type ConditionDraft, withField } from './condition-draft.ts'
import { OperatorAndValue } from './operator-and-value.tsx'
import { fieldAt, type PathGroup } from './path-fields.ts'

type ConditionLineProps = {
  readonly groups: readonly PathGroup[]
  readonly draft: ConditionDraft
  /** What stands before the line: the word that joins it to those above. */
  readonly lead: ReactNode
  /** Whether the line was just added and takes the focus. */
  readonly isNew: boolean
  readonly onChange: (draft: ConditionDraft) => void
  readonly onRemove: () => void
}

/** One condition: a field, an operator and what it compares with. */
export function ConditionLine({ groups, draft, lead, isNew, onChange, onRemove }: ConditionLineProps) {
  const field = fieldAt(groups, draft.field)
  const options = useMemo(
    () =>
      groups.map((group) => ({
        group: group.label,
        options: group.fields.map(({ name, label }) => ({ value: name, label })),
      })),
    [groups],
  )
  const choose = (name: string | null) => {
    const next = fieldAt(groups, name ?? '')
    if (next) onChange(withField(draft, next))
  }
  const shown = field?.label ?? draft.field
  return (
    <div className="condition-row" role="group" aria-label={`Condition on ${shown}`}>
      <div className="condition-joint">{lead}</div>
      <div className="condition-field">
        <Dropdown
          size="xs"
          ariaLabel="Field"
          required
          searchable
          autoFocus={isNew}
          options={options}
          value={field?.name ?? null}
          onChange={choose}
          placeholder={draft.field}
        />
      </div>
      {field ? (
        <OperatorAndValue field={field} draft={draft} onChange={onChange} />
      ) : (
        <span className="condition-hint condition-value">Only the text can change this one</span>
      )}
      <ActionIcon
        className="condition-remove"
        size="sm"
        aria-label={`Remove the condition on ${shown}`}
        onClick={onRemove}
      >
        <IconX size={14} stroke={1.75} />
      </ActionIcon>
    </div>
  )
}
