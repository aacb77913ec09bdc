import { NativeSelect } from '@mantine/core'
import type { Field } from '#domain/fields/field.ts'
import { OPERATORS, type Operator } from '#domain/query/filter.ts'
import { t } from '#web/i18n/t.ts'
import type { ComparableFields } from '#web/shared/conditions/comparable-fields.ts'
import {
  type ConditionDraft,
  furtherOperators,
  operatorsFor,
  operatorWords,
  switchedOperator,
} from '#web/shared/conditions/model/condition-draft.ts'
import { useConditionOptions } from './condition-provider.ts'
import { ValueOrField } from '#web/shared/conditions/values/value-or-field.tsx'

type OperatorAndValueProps = {
  readonly field: Field
  readonly draft: ConditionDraft
  readonly comparable: ComparableFields
  readonly onChange: (draft: ConditionDraft) => void
}

/** The usual operators of a field, and all others under a heading of their own; an odd one that is set already stays. */
function operatorData(field: Field, set: Operator, isOfGrant: boolean) {
  const item = (op: Operator) => ({ value: op, label: operatorWords(op, field) })
  const usual = operatorsFor(field, isOfGrant)
  const further = furtherOperators(field, isOfGrant)
  const odd = [...usual, ...further].includes(set) ? [] : [set]
  const items = [...further, ...odd].map(item)
  return [...usual.map(item), ...(items.length > 0 ? [{ group: 'More', items }] : [])]
}

/** What a condition on a field that is known asks of it. */
export function OperatorAndValue({ field, draft, comparable, onChange }: OperatorAndValueProps) {
  const { isOfGrant } = useConditionOptions()
  return (
    <>
      <NativeSelect
        className="condition-operator"
        data-control="operator"
        size="xs"
        aria-label={t('Operator')}
        value={draft.op}
        data={operatorData(field, draft.op, isOfGrant)}
        onChange={({ currentTarget }) => {
          const op = OPERATORS.find((known) => known === currentTarget.value)
          if (op !== undefined) onChange(switchedOperator(draft, op, field))
        }}
      />
      <div className="condition-value" data-control="value">
        <ValueOrField field={field} draft={draft} others={comparable(field, draft.op)} onChange={onChange} />
      </div>
    </>
  )
}
