import { ActionIcon } from '@mantine/core'
import type { Field } from '#domain/fields/field.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { IconColumns2 } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { type ConditionDraft, withOther, withValues } from '#web/shared/conditions/model/condition-draft.ts'
import { ConditionValue } from './condition-value.tsx'
import type { PathGroup } from '#web/shared/conditions/path-fields.ts'

type ValueOrFieldProps = {
  readonly field: Field
  readonly draft: ConditionDraft
  /** The fields it can be compared with. */
  readonly others: readonly PathGroup[]
  readonly onChange: (draft: ConditionDraft) => void
}

/** The right side of a condition: a value or, behind a switch, another field. */
export function ValueOrField({ field, draft, others, onChange }: ValueOrFieldProps) {
  const isField = draft.other !== undefined
  const value = isField ? (
    <Dropdown
      size="xs"
      ariaLabel={t('Field to compare {label} with', { label: field.label })}
      required
      searchable
      options={others.map((group) => ({
        group: group.label,
        options: group.fields.map(({ name, label }) => ({ value: name, label })),
      }))}
      value={draft.other === '' ? null : (draft.other ?? null)}
      onChange={(name) => onChange(withOther(draft, name ?? ''))}
      placeholder={t('Select a field')}
    />
  ) : (
    <ConditionValue field={field} draft={draft} onValues={(values) => onChange({ ...draft, values })} />
  )
  if (!isField && others.length === 0) return value
  const hint = t('Compare with a field')
  return (
    <span className="condition-either">
      {value}
      <ActionIcon
        className="condition-switch"
        size="sm"
        aria-label={`${hint}: ${field.label}`}
        aria-pressed={isField}
        title={hint}
        onClick={() => onChange(isField ? withValues(draft) : withOther(draft, onlyOf(others)))}
      >
        <IconColumns2 size={14} stroke={1.75} />
      </ActionIcon>
    </span>
  )
}

/** The field there is no choice about; '' where there are several. */
function onlyOf(others: readonly PathGroup[]): string {
  const [first, second] = others.flatMap(({ fields }) => fields)
  return first && !second ? first.name : ''
}
