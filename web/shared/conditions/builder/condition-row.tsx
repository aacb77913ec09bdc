import { type ReactNode, useMemo } from 'react'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { t } from '#web/i18n/t.ts'
import type { ComparableFields } from '#web/shared/conditions/comparable-fields.ts'
import { type ConditionDraft, withField } from '#web/shared/conditions/model/condition-draft.ts'
import { useConditionOptions } from './condition-provider.ts'
import { OperatorAndValue } from './operator-and-value.tsx'
import { ConditionActions } from './condition-actions.tsx'
import { fieldAt, type PathGroup } from '#web/shared/conditions/path-fields.ts'
import type { TreeEdits } from './tree-edits.ts'

type ConditionRowProps = {
  readonly groups: readonly PathGroup[]
  readonly comparable: ComparableFields
  readonly draft: ConditionDraft
  /** What stands before the line: the word that joins it to those above. */
  readonly lead: ReactNode
  readonly edits: TreeEdits
}

/** One condition: a field, an operator and what it compares with. */
export function ConditionRow({ groups, comparable, draft, lead, edits }: ConditionRowProps) {
  const { isOfGrant } = useConditionOptions()
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
    if (next) edits.put(withField(draft, next, isOfGrant))
  }
  const shown = field?.label ?? draft.field
  return (
    <div className="condition-row" role="group" aria-label={t('Condition on {shown}', { shown })} data-part={draft.key}>
      <div className="condition-joint">{lead}</div>
      <div className="condition-field" data-control="field">
        <Dropdown
          size="xs"
          ariaLabel={t('Field')}
          required
          searchable
          options={options}
          value={field?.name ?? null}
          onChange={choose}
          placeholder={draft.field}
        />
      </div>
      {field ? (
        <OperatorAndValue field={field} draft={draft} comparable={comparable} onChange={edits.put} />
      ) : (
        <span className="condition-hint condition-value">{t('Edit this condition as text')}</span>
      )}
      <ConditionActions part={draft.key} name={t('the condition on {field}', { field: shown })} edits={edits} />
    </div>
  )
}
